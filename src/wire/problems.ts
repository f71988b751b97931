/**
 * Why the studio refuses something, one sentence for each code; other languages translate the code.
 *
 * @example
 * const sentence = studioProblems.busy
 */
export const studioProblems = {
  desktop_only: 'The browser of this studio is the desktop app: send the message there.',
  no_text: 'The message has no text.',
  busy: 'A run is under way in this chat: stop it, or wait for its end.',
  too_many_logins: 'Too many attempts; wait a minute.',
  too_many_requests: 'Too many requests; wait a minute.',
  too_many_messages: 'Too many messages; wait a minute.',
  no_link: 'Open the link that the terminal shows.',
  wrong_host: 'Wrong host.',
  wrong_origin: 'Wrong origin.',
  not_json: 'The body must be JSON.',
  not_a_message: 'The body must be { id, message }.',
  no_route: 'There is no such route.',
  studio_failed: 'The studio failed; its terminal says why.',
  no_database: 'The database does not answer. The studio reconnects by itself, and no run goes on until then.',
  file_too_large: 'The file is too large: at most 50 MB can be attached.',
  too_many_files: 'This chat has too many files.',
  taken: 'Another window operates the page.',
  agent_works: 'The agent operates the page: take over first.',
  no_picture: 'No picture can be made of this page.',
  step_interrupted: 'The studio was closed before this step was done.',
  step_unfinished: 'The run ended before this step was done.',
  run_interrupted: 'The studio was closed during this run. The page is opened again; what the last step did is unknown.',
} as const

/**
 * The code of a problem of the studio.
 *
 * @example
 * const code: StudioProblemCode = 'busy'
 */
export type StudioProblemCode = keyof typeof studioProblems

/**
 * Why something was refused or failed: a code of `studioProblems` or of `failures`, and the sentence in English.
 *
 * @example
 * const { code, message }: StudioProblem = studioProblem('busy')
 */
export interface StudioProblem {
  readonly code: string
  readonly message: string
}

/**
 * The problem with a code.
 *
 * @example
 * return context.json(studioProblem('busy'), 409)
 */
export const studioProblem = (code: StudioProblemCode): StudioProblem => ({ code, message: studioProblems[code] })
