/** What a command that is no verb of a page says of itself; those with many options say it where they read them. */
export const programHelp = (command: string): string | undefined => (Object.hasOwn(texts, command) ? texts[command] : undefined)

const texts: { readonly [command: string]: string } = {
  batch: `pagehand batch   Run commands from standard input, one per line, in one go

  --keep-going   go on after a command that failed
  Every other flag goes to every line: --session NAME, --json, --format FORMAT, and those that open a session (pagehand help).

A line is a command as it is written after pagehand, with quotes around words that hold spaces: fill e3 "two words".
Or it is JSON, with the name of the command and its fields: {"name":"query","ref":"e1","kind":"text"}.
Empty lines, and lines that begin with #, are passed over.

Exit codes: 0 all of it is done, 1 a command did not work, 2 a line or a flag is wrong use. Without --keep-going the first such line is
the last.
`,
  status: `pagehand status   Say which sessions are open and where they are

  --json   the whole answer as JSON

Each session is told with the flags that it was opened with. Nothing is started.

Exit codes: 0 also where nothing is running, 1 the background host did not answer.
`,
  stop: `pagehand stop   Close one session, or everything

  --session NAME   only this session; without it all sessions, their browsers, and the background host
  --json           the whole answer as JSON

A browser that was attached to goes on without us. A host that nobody stops ends after a quarter of an hour without a command.

Exit codes: 0 also where nothing is running, 1 there is no session of that name.
`,
  doctor: `pagehand doctor   Say which browser is used and why, and what is missing

  --json   the findings as JSON

Looks at Node, looks for a browser and starts it, then at its sandbox, at fonts, and at where the background host listens.
A line that begins with fix has the next step below it.

Exit codes: 0 all is well, 1 something is to be fixed.
`,
  install: `pagehand install   Get a browser where there is none

Where a browser is found, nothing is done. On Linux with x64, npm installs the package @sparticuz/chromium beside pagehand, and
pagehand doctor looks at what came of it. Elsewhere it says what to install. Nothing else of pagehand fetches a browser.

Exit codes: 0 there is a browser, 1 there is none, or it does not start.
`,
  completion: `pagehand completion bash|zsh|fish   Print the completion of a shell

For bash, in ~/.bashrc:                  eval "$(pagehand completion bash)"
For zsh, in ~/.zshrc, after compinit:    eval "$(pagehand completion zsh)"
For fish, once:                          pagehand completion fish > ~/.config/fish/completions/pagehand.fish

Exit codes: 0 done, 2 the shell is not one of these.
`,
}
