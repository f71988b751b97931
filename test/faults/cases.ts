/** An attack, and the tests that try it. */
interface AttackCase {
  readonly name: string
  /** the titles of its tests */
  readonly titles: RegExp
}

/** What was tried against pagehand. Every row has a test, so that a test cannot be removed or renamed unnoticed. */
export const cases: readonly AttackCase[] = [
  {
    name: 'URLs with user info, dots, upper case, IPv6 and private addresses',
    titles: /^the URL |is a private host|the metadata endpoint/,
  },
  { name: 'routes to a denied host', titles: /reached by ".*" is left|opens a denied host by/ },
  { name: 'flips between an allowed and a denied host while the page is read', titles: /flips between an allowed and a denied host/ },
  {
    name: 'spellings of file URLs, and links out of the allowed folders',
    titles: /a file URL is judged|files are opened only below|redirects to a file outside/,
  },
  {
    name: 'attached browsers: debugging port, headers, strange endpoints',
    titles: /debugging port|remote endpoint is refused|not a browser, explains/,
  },
  { name: 'channels to other hosts with host rules', titles: /TRUST C1/ },
  { name: 'every action in read-only mode', titles: /readOnly|denied verb|the class \w+ denies/ },
  { name: 'the wheel over fields', titles: /^scroll, hover, focus and blur do not change|moves nothing but changes a field/ },
  {
    name: 'scripts of the caller while evaluation is off',
    titles: /runs the caller's code while web_eval is disabled|evaluate is disabled/,
  },
  { name: 'hostile text in trees: raw characters and forged lines', titles: /hostile trees|every format of a hostile page/ },
  { name: 'page words in failures', titles: /never stands in the sentence of a failure|failures with hostile words/ },
  { name: 'raw characters in the output of the CLI', titles: /no raw character of the page|prints a control, bidi or tag character/ },
  { name: 'page text in reports', titles: /never becomes markup of the report|values are escaped in content/ },
  { name: 'secrets in snapshots, queries, differences and evidence', titles: /\(.*\bA4\b.*\)/ },
  { name: 'HTTP requests: host, origin, token, type, method, size', titles: /^a request .* is rejected and does nothing/ },
  { name: 'HTTP clients: too many, idle, restarted', titles: /one client too many|clients that vanish/ },
  { name: 'malformed messages to the daemon', titles: /no malformed message ends the daemon|malformed requests/ },
  { name: 'rules that must be refused', titles: /TRUST C2/ },
  { name: 'random hostile pages', titles: /random hostile pages/ },
  { name: 'browsers and pages that are stopped or killed', titles: /\((.*\b)?F[123]\b.*\)/ },
  { name: 'host memory under floods', titles: /within 50 MB of its base memory/ },
  { name: 'actions, pages, tabs and screenshots in one session', titles: /long session/ },
  { name: 'two clients on one session', titles: /two clients on one session/ },
  { name: 'a disk that is full or read-only', titles: /\(.*\bF5\b.*\)/ },
  { name: 'a wall clock that jumps', titles: /\(.*\bF6\b.*\)/ },
  { name: 'prototype pollution and strange options', titles: /prototype/ },
  { name: 'hostile selectors and HTML', titles: /yields a snapshot within the budget|gives text without an exception/ },
  { name: 'uploads that are replaced after the check', titles: /replaced by a link/ },
  { name: 'installed packages: licences, integrity, install scripts', titles: /^every package/ },
  { name: 'content of the published package', titles: /the package contains the promised files and nothing else/ },
  { name: 'downloads of one name', titles: /a download never replaces a file/ },
]

/** The promises at the end of a title: (A6, F2) or (TRUST C2). Without TRUST, C2 is a decision. */
const promise = /\((?:[^()]*[, ])?(?:TRUST [A-F]|[ABDEF])\d[ ,)]/

/** The titles of all tests of promises and attacks. */
export const titles = new RegExp([promise, ...cases.map(each => each.titles)].map(({ source }) => source).join('|'))
