/* guides.c -- see guides.h.  `make guides` writes them, `make install` puts them in place. */
#include "guides.h"

#include <string.h>

#include "../src/version.h"

/* ---- manual page, in the man macros ---- */

/* Text for troff: its special characters escaped, no line begins with a dot or quote. */
static void troff(FILE *stream, const char *text)
{
    int begin = 1;

    for (; *text != '\0'; text++) {
        if (begin && (*text == '.' || *text == '\''))
            fputs("\\&", stream);
        if (*text == '\\')
            fputs("\\e", stream);
        else if (*text == '-')
            fputs("\\-", stream);
        else
            fputc(*text, stream);
        begin = *text == '\n';
    }
}

static void man_option(void *context, const char *name, const char *argument,
                       const char *const *choices, const char *help)
{
    FILE *stream = context;

    (void)choices;
    fputs(".TP\n\\fB\\-\\-", stream);
    troff(stream, name);
    fputs("\\fR", stream);
    if (argument != NULL) {
        fputs(" \\fI", stream);
        troff(stream, argument);
        fputs("\\fR", stream);
    }
    fputs("\n", stream);
    troff(stream, help);
    fputs("\n", stream);
}

static void man_command(FILE *stream, const struct command *command)
{
    fputs(".SS ", stream);
    troff(stream, command->name);
    if (command->operands != NULL) {
        fputs(" ", stream);
        troff(stream, command->operands);
    }
    fputs("\n", stream);
    troff(stream, command->summary);
    fputs(".\n.PP\n.nf\n", stream);
    troff(stream, command->about);
    fputs("\n.fi\n", stream);
    options_visit(command, man_option, stream);
}

static void print_man(FILE *stream, const struct command *const *table)
{
    fprintf(stream,
            ".\\\" Made by `cuckoo_sim help --man`.\n"
            ".TH CUCKOO_SIM 1 \"\" \"cuckoo_sim %s\" \"User Commands\"\n"
            ".SH NAME\ncuckoo_sim \\- measure what cuckoo hashing does\n"
            ".SH SYNOPSIS\n.B cuckoo_sim\n.I SUBCOMMAND\n.RI [ OPTION ...]\n.br\n"
            ".B cuckoo_sim help\n.RI [ SUBCOMMAND ]\n.br\n.B cuckoo_sim \\-\\-version\n"
            ".SH DESCRIPTION\n"
            "One deterministic program that measures what cuckoo hashing does, counted in slots,\n"
            "cache lines, kicks, moves and failures.  Data goes to standard output, all else to\n"
            "standard error.  Numbers are written 1000, 1e6 or 2^20, exact fractions 0.95 or\n"
            "19/20.  The bytes depend on the seed and the options printed in each table's head,\n"
            "and on nothing else: not on threads, ranks or machines.\n"
            ".SH SUBCOMMANDS\n",
            CUCKOO_VERSION);
    for (size_t i = 0; table[i] != NULL; i++)
        man_command(stream, table[i]);
    fputs(".SH SIGNALS\n"
          "SIGINT, SIGTERM and SIGUSR1 stop long work at the next safe point; what the longest\n"
          "complete prefix of trials gives is printed and marked as partial.  A second SIGINT or\n"
          "SIGTERM quits at once.\n"
          ".SH EXIT STATUS\n0 success; 1 a run that failed; 2 misuse; 128 + signal when stopped "
          "(130: SIGINT).\n"
          ".SH SEE ALSO\nThe tables and columns of each subcommand: \\fBcuckoo_sim help\\fR "
          "\\fISUBCOMMAND\\fR.\n",
          stream);
}

/* ---- completion ---- */

/* What follows an option: nothing (a flag), one of its choices, a file, or free text. */
static int takes_file(const char *argument)
{
    return argument != NULL && strstr(argument, "FILE") != NULL;
}

static void bash_name(void *context, const char *name, const char *argument,
                      const char *const *choices, const char *help)
{
    (void)argument;
    (void)choices;
    (void)help;
    fprintf(context, " --%s", name);
}

static void bash_value(void *context, const char *name, const char *argument,
                       const char *const *choices, const char *help)
{
    FILE *stream = context;

    (void)help;
    if (choices != NULL) {
        fprintf(stream, "    %s) words='", name);
        for (size_t i = 0; choices[i] != NULL; i++)
            fprintf(stream, "%s%s", i > 0 ? " " : "", choices[i]);
        fprintf(stream, "' ;;\n");
    } else if (takes_file(argument)) {
        fprintf(stream, "    %s) files=1 ;;\n", name);
    } else if (argument != NULL) {
        fprintf(stream, "    %s) return ;;\n", name);
    }
}

static const struct command every_option = {.name = "", .takes = OPTION_BIT(OPTION_COUNT) - 1};

static void print_bash(FILE *stream, const struct command *const *table)
{
    fputs("# bash completion of cuckoo_sim; made by `cuckoo_sim help --bash`.\n"
          "_cuckoo_sim()\n{\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local words='' files=''\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" = 1 ]; then\n        words='help --version",
          stream);
    for (size_t i = 0; table[i] != NULL; i++)
        fprintf(stream, " %s", table[i]->name);
    fputs("'\n    elif [ \"${before#--}\" != \"$before\" ]; then\n    case ${before#--} in\n",
          stream);
    options_visit(&every_option, bash_value, stream);
    fputs("    esac\n    fi\n"
          "    if [ -z \"$words$files\" ]; then\n    case ${COMP_WORDS[1]} in\n    help) words='",
          stream);
    for (size_t i = 0; table[i] != NULL; i++)
        fprintf(stream, "%s%s", i > 0 ? " " : "", table[i]->name);
    fputs("' ;;\n", stream);
    for (size_t i = 0; table[i] != NULL; i++) {
        fprintf(stream, "    %s) words='", table[i]->name);
        options_visit(table[i], bash_name, stream);
        fprintf(stream, "'%s ;;\n", takes_file(table[i]->operands) ? " files=1" : "");
    }
    fputs("    esac\n    fi\n"
          "    [ -n \"$words\" ] && COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "    [ -n \"$files\" ] && COMPREPLY+=($(compgen -f -- \"$word\"))\n"
          "}\ncomplete -F _cuckoo_sim cuckoo_sim\n",
          stream);
}

/* A description inside '...[...]': without the characters that end it. */
static void zsh_text(FILE *stream, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputs("'\\''", stream);
        else if (strchr("[]:\\", *text) != NULL)
            fprintf(stream, "\\%c", *text);
        else
            fputc(*text, stream);
    }
}

static void zsh_option(void *context, const char *name, const char *argument,
                       const char *const *choices, const char *help)
{
    FILE *stream = context;

    fprintf(stream, " \\\n            '--%s%s[", name, argument != NULL ? "=" : "");
    zsh_text(stream, help);
    fputs("]", stream);
    if (argument != NULL) {
        fputs(":", stream);
        zsh_text(stream, argument);
        fputs(":", stream);
        if (choices != NULL) {
            fputs("(", stream);
            for (size_t i = 0; choices[i] != NULL; i++)
                fprintf(stream, "%s%s", i > 0 ? " " : "", choices[i]);
            fputs(")", stream);
        } else if (takes_file(argument)) {
            fputs("_files", stream);
        }
    }
    fputs("'", stream);
}

static void print_zsh(FILE *stream, const struct command *const *table)
{
    fputs("#compdef cuckoo_sim\n# zsh completion; made by `cuckoo_sim help --zsh`.\n"
          "_cuckoo_sim() {\n    if (( CURRENT == 2 )); then\n        local -a names=(\n"
          "            'help:options, defaults and columns of a subcommand'\n",
          stream);
    for (size_t i = 0; table[i] != NULL; i++) {
        fprintf(stream, "            '%s:", table[i]->name);
        zsh_text(stream, table[i]->summary);
        fputs("'\n", stream);
    }
    fputs("        )\n        _describe subcommand names\n        return\n    fi\n"
          "    case $words[2] in\n",
          stream);
    for (size_t i = 0; table[i] != NULL; i++) {
        fprintf(stream, "    %s)\n        _arguments", table[i]->name);
        options_visit(table[i], zsh_option, stream);
        fprintf(stream, " \\\n            '*:%s' ;;\n",
                takes_file(table[i]->operands) ? "file:_files" : "word: ");
    }
    fputs("    esac\n}\n_cuckoo_sim \"$@\"\n", stream);
}

int guides_print(FILE *stream, const char *what, const struct command *const *table)
{
    if (strcmp(what, "--man") == 0)
        print_man(stream, table);
    else if (strcmp(what, "--bash") == 0)
        print_bash(stream, table);
    else if (strcmp(what, "--zsh") == 0)
        print_zsh(stream, table);
    else
        return 0;
    return 1;
}
