import { page, report, type SiteDefinition } from './site.ts'

export interface AccountState {
  readonly attempts: { readonly user: string; readonly password: string }[]
  readonly visits: string[]
}

/** The name on one page, the password on the next, then the account. */
export const account: SiteDefinition<AccountState> = {
  start: () => ({ attempts: [], visits: [] }),
  respond({ path, form, isPost, cookie }, state) {
    if (isPost && path === '/user') return { redirect: `/password?user=${encodeURIComponent(form.get('user') ?? '')}` }
    if (isPost && path === '/password') {
      const attempt = { user: form.get('user') ?? '', password: form.get('password') ?? '' }
      state.attempts.push(attempt)
      return attempt.password === 'correct-horse'
        ? { redirect: '/account', cookie: `user=${encodeURIComponent(attempt.user)}; Path=/; HttpOnly` }
        : { redirect: '/wrong' }
    }
    if (path === '/wrong')
      return { html: page('Log in', '<h1>Log in</h1><p role="alert">The password is wrong.</p><a href="/">Try again</a>') }
    if (path === '/password')
      return {
        html: page(
          'Your password',
          `<h1>Your password</h1><form method="post" action="/password"><input type="hidden" name="user"><label>Password <input type="password" name="password"></label><button>Log in</button></form>`,
          `document.querySelector('[name=user]').value = new URLSearchParams(location.search).get('user')`,
        ),
      }
    const user = /user=([^;]*)/.exec(cookie)?.[1]
    if (path === '/account' && user !== undefined) {
      state.visits.push(decodeURIComponent(user))
      return {
        html: page(
          'Your account',
          `<h1>Your account</h1><p>Welcome back.</p><dl><dt>Balance</dt><dd>$1,204.50</dd></dl><a href="/statements">Statements</a>`,
        ),
      }
    }
    if (path === '/statements' && user !== undefined) {
      state.visits.push('statements')
      return { html: page('Statements', '<h1>Statements</h1><p>November: $84.10</p>') }
    }
    return {
      html: page(
        'Log in',
        `<h1>Log in</h1><form method="post" action="/user"><label>Email <input name="user" type="email" autocomplete="username"></label><button>Continue</button></form>`,
      ),
    }
  },
}

export interface SettingsState {
  saved?: { readonly [field: string]: string }
}

/** 60 fields in six groups, text, numbers, lists and boxes. */
export const settingsFields: readonly {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'number' | 'list' | 'box'
}[] = ['Profile', 'Company', 'Mail', 'Privacy', 'Display', 'Billing'].flatMap(group =>
  ['name', 'code', 'contact', 'region', 'limit', 'interval', 'language', 'mode', 'alerts', 'backups'].map((each, at) => ({
    name: `${group}-${each}`.toLowerCase(),
    label: `${group} ${each}`,
    kind: at < 4 ? ('text' as const) : at < 6 ? ('number' as const) : at < 8 ? ('list' as const) : ('box' as const),
  })),
)
const listOptions: { readonly [word: string]: readonly string[] } = {
  language: ['English', 'German', 'Chinese'],
  mode: ['Fast', 'Careful', 'Off'],
}

export const settings: SiteDefinition<SettingsState> = {
  start: () => ({}),
  respond({ path, form, isPost }, state) {
    if (isPost && path === '/save') {
      state.saved = Object.fromEntries(form)
      return { redirect: '/saved' }
    }
    if (path === '/saved') return { html: page('Saved', '<h1>Settings</h1><p role="status">All settings were saved.</p>') }
    const control = ({ name, label, kind }: (typeof settingsFields)[number]) => {
      if (kind === 'box') return `<label><input type="checkbox" name="${name}"> ${label}</label>`
      if (kind !== 'list') return `<label>${label} <input name="${name}" type="${kind}"></label>`
      const options = listOptions[name.split('-')[1] as string]?.map(each => `<option>${each}</option>`).join('')
      return `<label>${label} <select name="${name}">${options}</select></label>`
    }
    const groups = ['Profile', 'Company', 'Mail', 'Privacy', 'Display', 'Billing'].map(
      group =>
        `<fieldset><legend>${group}</legend>${settingsFields
          .filter(({ label }) => label.startsWith(group))
          .map(control)
          .join('')}</fieldset>`,
    )
    return {
      html: page('Settings', `<h1>Settings</h1><form method="post" action="/save">${groups.join('')}<button>Save settings</button></form>`),
    }
  },
}

export interface TabsState {
  readonly accepted: string[]
  finished: boolean
}

/** Terms that have to be accepted in another tab before the first one goes on. */
export const terms: SiteDefinition<TabsState> = {
  start: () => ({ accepted: [], finished: false }),
  respond({ path, isPost }, state) {
    if (isPost && path === '/accept') {
      state.accepted.push('terms')
      return { redirect: '/accepted' }
    }
    if (isPost && path === '/finish') {
      state.finished = state.accepted.length > 0
      return { json: state.finished }
    }
    if (path === '/accepted') return { html: page('Accepted', '<h1>Terms accepted</h1><p>You can close this tab.</p>') }
    if (path === '/terms')
      return {
        html: page('Terms', `<h1>Terms</h1><p>Be kind.</p><form method="post" action="/accept"><button>Accept the terms</button></form>`),
      }
    return {
      html: page(
        'Sign up',
        `<h1>Sign up</h1><p>Please read the <a href="/terms">terms of use</a> first.</p><button id="finish" type="button">Finish</button><p role="status" id="said"></p>`,
        `${report} finish.onclick = async () => { said.textContent = await report('/finish') ? 'You are signed up.' : 'Accept the terms first.' }`,
      ),
    }
  },
}
