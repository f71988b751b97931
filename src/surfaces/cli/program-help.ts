/** The help of a command that does not run a verb; commands with many options keep theirs next to the option table. */
export const programHelp = (command: string): string | undefined => (Object.hasOwn(texts, command) ? texts[command] : undefined)

const texts: { readonly [command: string]: string } = {
  batch: `pagehand batch   Run commands from standard input, one per line

  --keep-going   continue after a command that failed

All other options are added to every line: --session NAME, --json, --format FORMAT, and those that open a session (see pagehand help).

A line is a command as written after pagehand, with quotes around words that contain spaces: fill e3 "two words".
Or it is a JSON object with the name of the command and its fields: {"name":"query","ref":"e1","kind":"text"}.
Empty lines and lines that start with # are ignored.

Exit codes: 0 every command succeeded, 1 a command failed, 2 a line or an option is invalid. Without --keep-going, the batch stops there.
`,
  approvals: `pagehand approvals   List the actions that wait for a decision

  --all             also those that were decided
  --folder FOLDER   the folder of the runs (default: that of the user)
  --json            print the requests as JSON

Exit codes: 0 success, 1 failure, 2 usage error.
`,
  approve: `pagehand approve ID   Approve or deny an action that waits

  --deny REASON     deny it; the run goes on and is told the reason
  --scope SCOPE     once (this action), run (the rest of the run), site (this site, in every run), always (default: once)
  --by NAME         who decides (default: the name of the user)
  --folder FOLDER   the folder of the runs (default: that of the user)
  --json            print the outcome as JSON

Shows the question at your terminal and asks you to confirm; without a terminal it decides nothing. The first decision counts. The run uses
it for the action it was asked for, once, if the page and the data that would be sent are still the same.
What a run of the studio asks is decided in the studio.

Exit codes: 0 decided, 1 not decided: no terminal, not confirmed, no such request, decided before, or over, 2 usage error.
`,
  grants: `pagehand grants [list|revoke ID|test JSON]   List, revoke or test lasting approvals

  test JSON         say whether a command would ask: {"name":"click","ref":"e3","target":{"name":"Pay","origin":"https://shop.example"}}
  --site HOST       with test: a site of the run; can be repeated
  --folder FOLDER   the folder of the runs (default: that of the user)
  --json            print the result as JSON

Exit codes: 0 success, 1 there is no such grant, 2 usage error.
`,
  explain: `pagehand explain JSON   Say what a command on the open page would do, and whether it needs an approval

  --session NAME    the session with the page (default: default)
  --site HOST       a site of the run; can be repeated (default: that of the open page)
  --folder FOLDER   the folder of the runs, whose grants count (default: that of the user)
  --json            print the result as JSON

JSON is a command such as {"name":"click","ref":"e3"}. Nothing is done.

Exit codes: 0 success, 1 failure, 2 usage error.
`,
  status: `pagehand status   List the open sessions

  --json   print the result as JSON

Shows each session with the options it was opened with. Starts nothing.

Exit codes: 0 success (also if nothing is running), 1 the daemon did not answer, 2 usage error.
`,
  stop: `pagehand stop   Close one session, or all sessions and the daemon

  --session NAME   close only this session
  --json           print the result as JSON

A browser that pagehand attached to keeps running. The daemon exits by itself after 15 minutes without a command.

Exit codes: 0 success (also if nothing is running), 1 there is no session of that name, 2 usage error.
`,
  doctor: `pagehand doctor   Show which browser is used and why, and what is missing

  --json   print the findings as JSON

Checks Node, finds a browser and starts it, then checks its sandbox, the display and the fonts. Lists your own browsers with the way to use
them, without connecting to them, and the named profiles with their logins; shows where the daemon listens.
A line that starts with "fix" or "warn" is followed by the next step: "fix" must be solved, "warn" works but not as well as it could.

Exit codes: 0 everything works, perhaps with warnings, 1 something has to be fixed, 2 usage error.
`,
  install: `pagehand install   Install a browser if none is found

Does nothing if a browser is found. On Linux x64, npm installs the package @sparticuz/chromium next to pagehand, and pagehand doctor
checks the result. On other platforms it tells you what to install. No other command downloads a browser.

Exit codes: 0 a browser is available, 1 no browser is available, or it does not start, 2 usage error.
`,
  completion: `pagehand completion bash|zsh|fish   Print a shell completion script

For bash, in ~/.bashrc:                  eval "$(pagehand completion bash)"
For zsh, in ~/.zshrc, after compinit:    eval "$(pagehand completion zsh)"
For fish, once:                          pagehand completion fish > ~/.config/fish/completions/pagehand.fish

Exit codes: 0 success, 2 unknown shell.
`,
}
