import { columns, optionRows } from '../flags/option-help.ts'
import type { OptionSpec, OptionSpecs } from '../flags/option-spec.ts'
import { browserFlags } from '../flags/session-flags.ts'
import { agentOptions } from './agent/options.ts'

export const recordOptions: OptionSpecs = {
  out: { type: 'string', value: 'FILE', description: 'write the recording to a file' },
  asSkill: { type: 'string', value: 'FOLDER', description: 'write SKILL.md and recording.json to a folder' },
  evidence: { type: 'string', value: 'FOLDER', description: 'the folder of all runs (default: that of the user)' },
}

export const replayOptions: OptionSpecs = {
  set: {
    type: 'array',
    value: 'NAME=VALUE',
    description: 'value of a parameter or secret; - reads a line of standard input; repeat it for others',
  },
  yes: agentOptions.yes as OptionSpec,
  approvals: agentOptions.approvals as OptionSpec,
  evidence: agentOptions.evidence as OptionSpec,
  json: { type: 'boolean', description: 'print one JSON object' },
  ...browserFlags,
}

export const recordHelp = `pagehand record RUN   Write the actions of a run as a recording that can be repeated without a model

${columns(optionRows(recordOptions)).join('\n')}

The recording contains the goal, how each element is found, and what has to be true before and after each step. Typed values are
parameters; what was typed into fields that hide it is not stored. Without --out it is printed.

Exit codes: 0 success, 1 failure, 2 usage error.
`

export const replayHelp = `pagehand replay FILE   Repeat a recording without a model

${columns(optionRows(replayOptions)).join('\n')}

An element that moved is found again if exactly one fits, which is reported. The replay stops at the first element that is missing or
ambiguous, and at the first condition that is not met. It is recorded as a run, and asks before risky actions as an agent does, whatever
was approved when it was recorded.

Exit codes: 0 everything was repeated, 1 the replay stopped, 2 usage error, 8 an action needs an approval, and nobody could be asked,
130 stopped.
`
