/** An attack, and the tests that try it. */
interface AttackCase {
  readonly name: string
  /** how often `npm run test:faults` tries it at least */
  readonly tries: number
  /** the titles of its tests */
  readonly titles: RegExp
}

/** What was tried against pagehand. Every row has a test, so that a test cannot be removed or renamed unnoticed. */
export const cases: readonly AttackCase[] = [
  {
    name: 'URLs with user info, dots, upper case, IPv6 and private addresses',
    tries: 6,
    titles: /^the URL |is a private host|the metadata endpoint/,
  },
  {
    name: 'routes to a denied host',
    tries: 48,
    titles: /reached by ".*" is left|opens a denied host by|^reached .* is (neither|blank)|routes from an allowed to a denied host/,
  },
  {
    name: 'flips between an allowed and a denied host while the page is read',
    tries: 1085,
    titles: /flips between an allowed and a denied host/,
  },
  {
    name: 'spellings of file URLs, and links out of the allowed folders',
    tries: 16,
    titles: /a file URL is judged|files are opened only below|redirects to a file outside|files outside the allowed folders/,
  },
  {
    name: 'attached browsers: debugging port, headers, strange endpoints',
    tries: 15,
    titles: /debugging port|remote endpoint is refused|not a browser, explains|endpoint that/,
  },
  { name: 'channels to other hosts with host rules', tries: 12, titles: /TRUST C1/ },
  { name: 'every action in read-only mode', tries: 2478, titles: /readOnly|denied verb|the class \w+ denies/ },
  { name: 'the wheel over fields', tries: 4, titles: /^scroll, hover, focus and blur do not change|moves nothing but changes a field/ },
  {
    name: 'scripts of the caller while evaluation is off',
    tries: 22,
    titles: /runs the caller's code while web_eval is disabled|evaluate is disabled/,
  },
  { name: 'hostile text in trees: raw characters and forged lines', tries: 122, titles: /hostile trees|every format of a hostile page/ },
  { name: 'page words in failures', tries: 6, titles: /never part of the sentence of a failure|failures with hostile words/ },
  {
    name: 'raw characters in the output of the CLI',
    tries: 34,
    titles: /no raw character of the page|prints a control, bidi or tag character/,
  },
  { name: 'page text in reports', tries: 8, titles: /never becomes markup of the report|values are escaped in content/ },
  { name: 'secrets in snapshots, queries, differences and evidence', tries: 45, titles: /\(.*\bA4\b.*\)/ },
  { name: 'HTTP requests: host, origin, token, type, method, size', tries: 40, titles: /^a request .* is rejected and does nothing/ },
  { name: 'HTTP clients: too many, idle, restarted', tries: 5, titles: /one client too many|clients that vanish|500 slow connections/ },
  { name: 'malformed messages to the daemon', tries: 33, titles: /no malformed message ends the daemon|malformed requests/ },
  { name: 'rules that must be refused', tries: 19, titles: /TRUST C2/ },
  { name: 'random hostile pages', tries: 200, titles: /random hostile pages/ },
  { name: 'browsers and pages that are stopped or killed', tries: 54, titles: /\((.*\b)?F[123]\b.*\)/ },
  { name: 'recordings repeated without a model, also after the page changed', tries: 45, titles: /^a recording (repeats|finds|never)/ },
  { name: 'long runs on large pages', tries: 1, titles: /^forty steps on a page/ },
  { name: 'runs that are killed at random moments', tries: 100, titles: /^runs that are killed at random moments/ },
  { name: 'agents in Chromium that are killed at random moments', tries: 100, titles: /^agents that are killed at random moments/ },
  { name: 'host memory under floods', tries: 10, titles: /within 50 MB of its base memory/ },
  { name: 'actions, pages, tabs and screenshots in one session', tries: 1500, titles: /long session/ },
  { name: 'two clients on one session', tries: 290, titles: /two clients on one session/ },
  { name: 'a disk that is full or read-only', tries: 28, titles: /\(.*\bF5\b.*\)/ },
  { name: 'a wall clock that jumps', tries: 4, titles: /\(.*\bF6\b.*\)/ },
  { name: 'prototype pollution and strange options', tries: 33, titles: /prototype/ },
  { name: 'hostile selectors and HTML', tries: 18, titles: /yields a snapshot within the budget|gives text without an exception/ },
  { name: 'uploads that are replaced after the check', tries: 5, titles: /replaced by a link/ },
  { name: 'installed packages: licences, integrity, install scripts', tries: 303, titles: /^every package/ },
  { name: 'content of the published package', tries: 1, titles: /the package contains the promised files and nothing else/ },
  { name: 'downloads of one name', tries: 7, titles: /a download never replaces a file/ },
]

/** The numbers of promises at the end of a title: (A6, F2) or (TRUST C2). Without TRUST, C2 is a decision. */
export function promisesOf(title: string): string[] {
  const lists = [...title.matchAll(/\(([^()]+)\)/g)].flatMap(([, list = '']) => list.split(/,? (?<!TRUST )/))
  return lists.flatMap(id => /^(?:TRUST[ -]([A-F]\d)|([ABDEF]\d))$/.exec(id)?.slice(1).filter(Boolean) ?? [])
}

const promise = /\((?:[^()]*[, ])?(?:TRUST [A-F]|[ABDEF])\d[ ,)]/

/** The titles of all tests of promises and attacks. */
export const titles = new RegExp([promise, ...cases.map(each => each.titles)].map(({ source }) => source).join('|'))
