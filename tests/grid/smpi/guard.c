/* What stands for grid_guard: a simulated process is none that could be killed, and cannot fork. */
void __wrap_grid_guard(void);
void __wrap_grid_guard(void)
{
}
