/* stop.h -- the end before the end: SIGINT, SIGTERM and SIGUSR1 ask for a stop at the next
 * safe point (no further block of trials is begun); a second one of the first two quits at
 * once, with the status 128 + signal.  SIGUSR1 is what batch systems and mpirun can send. */
#ifndef CUCKOO_STOP_H
#define CUCKOO_STOP_H

/* Take over the signals, for a command that can stop early. */
void stop_install(void);

/* The signal that asked for a stop, or 0. */
int stop_signal(void);

/* As if the signal had come: another process of this run was asked. */
void stop_ask(int signal);

/* As if a stop had been asked for, once so many seconds have gone by; stop_alarm_off() ends that
 * and says whether they had.  Outside of stop_install()'s signals; one at a time. */
void stop_alarm_on(unsigned seconds);
int stop_alarm_off(void);

#endif
