gum-profile 1
program parfib   # one word
run policy busiest processes 2 makespan 12.5 critical 0.8
bytes task 120 result 16 fetched 0
cost message 2e-06 slice 0.001
level 0 tasks 1 work 0.5 deviation 0 longest 0.5
level 1 tasks 5000 work 120 deviation 0.01 longest 0.3 pure 4000
level 2 tasks 200 work 1 deviation 0 longest 0.3
process 0 host edin1 cluster edin time 0.187 running 10.2 fetching 0.1 idle 2.2 made 5000 taken 0 pruned 4000 messages 340
process 1 host - cluster - time 1 running 1.2 fetching 0.1 idle 9.2 made 200 taken 100 pruned 0 messages 340
