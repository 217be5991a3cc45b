/* What Criterion wants of libgit2, which shows it differences between texts: nothing here asks for them.  Each test is
 * a process of its own, and half of what starting it takes is to load libgit2 with all that it needs, and to read the
 * certificates of servers. */
int git_libgit2_init(void);
int git_libgit2_shutdown(void);
int git_diff_buffers(void);

int git_libgit2_init(void)
{
    return 1;
}

int git_libgit2_shutdown(void)
{
    return 0;
}

int git_diff_buffers(void)
{
    return -1;
}
