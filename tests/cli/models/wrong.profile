gum-profile 1
program parfib
run policy busiest procesess 2 makespan 12.5 critical 0.8
bytes task 120 result 16 fetched zero
cost message 2e-06
level 1 tasks 5000 work 120 deviation 0.01 longest 0.3
process 0 host edin1 cluster edin time 0
