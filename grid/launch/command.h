/* The command line of mpirun, and who starts the program in it. */
#ifndef GRID_LAUNCH_COMMAND_H
#define GRID_LAUNCH_COMMAND_H

typedef struct {
    const char *name;   /* of the command, for messages on stderr */
    char **mpirun;      /* how many processes, and where: options of mpirun, NULL at the end; with places: of
                           each */
    char **program;     /* with its arguments; NULL: mpirun's options say it */
    char **hosts;       /* their names, NULL at the end; NULL: all processes are on this machine */
    char **places;      /* where the program is started, in the order of ranks: "2", "HOST:2", "VARIABLE=HOST",
                           ... for two processes, NULL at the end; NULL: mpirun's options say it */
    int processes;      /* with prefix, where all are on this machine: how many */
    const char *input;  /* what all read, if they are on other machines; NULL: as the command */
    const char *output; /* a file for the standard output, with hosts; NULL: as the command */
    int asks;           /* the signal by which mpirun asks processes to end, the first time; 0: it kills them */
    int prefix;         /* lines begin with the process */
    int show;           /* print the command, and do not run it */
} Launch;

/* For a program that mpirun's options say, with prefixes and hosts: "sh", "-c" and this go before it, so that
 * mpirun loses nothing of what it prints. */
extern const char command_padded[];

/* mpirun takes a word ":" for the end of a program's arguments, wherever it is.  A word for it that is none of these
 * arguments, or NULL if none is ":": "sh", "-c", command_colon, the program and that word go before them. */
enum { COMMAND_MARK = 24 };
const char *command_mark(char **arguments, char mark[COMMAND_MARK]);
extern const char command_colon[];

/* Whether all processes are on this machine, where a shell before each opens what they print to. */
int command_is_here(const Launch *what);
/* mpirun with its arguments, of which *text holds some: free both.  One to be shown opens nothing of this process.
 * NULL: out of memory.
 * output: a descriptor here for what processes print; with prefixes those from there on, two for each
 * process.  A process of which mpirun sees neither output any more gets no input either: so it keeps one
 * open, as 9. */
char **command_make(const Launch *what, int output, char **text);
void command_show(char **command);

#endif
