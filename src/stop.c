/* stop.c -- see stop.h. */
#include "stop.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t asked;

static void on_signal(int signal)
{
    if (signal == SIGALRM) {
        if (asked == 0)
            asked = SIGALRM;
        return;
    }
    if (asked != 0 && signal != SIGUSR1)
        _exit(128 + signal);
    asked = signal;
}

void stop_install(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART; /* writes go on where they were */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
}

int stop_signal(void)
{
    return asked;
}

void stop_ask(int signal)
{
    asked = signal;
}

void stop_alarm_on(unsigned seconds)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, NULL);
    alarm(seconds);
}

int stop_alarm_off(void)
{
    int rang = asked == SIGALRM;

    alarm(0);
    if (rang)
        asked = 0;
    return rang;
}
