// Checkouts that are built differently. Each is a site of its own; what the server received is what tests check.
import { page, type SiteDefinition, type SiteRequest, type SiteResponse } from './site.ts'

export interface CheckoutState {
  /** what the server received, in order, such as `pay card=4111` */
  readonly received: string[]
}

const field = (label: string, name: string, attributes = ''): string =>
  `<label>${label} <input name="${name}" ${attributes} required></label>`
const card = `${field('Card number', 'card', 'autocomplete="cc-number" inputmode="numeric"')}${field('Security code', 'cvc', 'autocomplete="cc-csc"')}`
const form = (action: string, content: string, button: string): string =>
  `<form method="post" action="${action}">${content}<button>${button}</button></form>`
const thanks: SiteResponse = { html: page('Thank you', '<h1>Thank you</h1><p>Your order was placed.</p>') }
const addToCart = page('Tea', `<h1>Green tea</h1><p>$12.50</p>${form('/add', '', 'Add to cart')}<p><a href="/cart">Cart</a></p>`)
const words = ({ path, form: given }: SiteRequest): string =>
  [path.slice(1), ...[...given].map(([name, value]) => `${name}=${value}`)].join(' ')

/** A site whose forms lead from one page to the next. */
const site = (pages: (request: SiteRequest, state: CheckoutState) => string | undefined, next: { readonly [path: string]: string }) =>
  ({
    start: () => ({ received: [] }),
    respond(request, state) {
      if (request.isPost) {
        state.received.push(words(request))
        return { redirect: next[request.path] ?? '/thanks' }
      }
      const html = pages(request, state)
      return html === undefined ? thanks : { html }
    },
  }) satisfies SiteDefinition<CheckoutState>

/** Everything on one page, the card included. */
const onePage = site(
  ({ path }) =>
    path === '/'
      ? page('Tea', `<h1>Green tea</h1>${form('/pay', `${field('Full name', 'name')}${field('Email', 'email')}${card}`, 'Pay $12.50')}`)
      : undefined,
  {},
)

/** A cart, then three pages with a form each. */
const wizard = site(
  ({ path }) =>
    ({
      '/': addToCart,
      '/cart': page('Cart', '<h1>Cart</h1><p>Green tea</p><a href="/address">Check out</a>'),
      '/address': page(
        'Address',
        `<h1>1 of 3: address</h1>${form('/address', `${field('Full name', 'name')}${field('Address', 'address')}`, 'Continue')}`,
      ),
      '/shipping': page('Shipping', `<h1>2 of 3: shipping</h1>${form('/shipping', field('Phone', 'phone'), 'Continue')}`),
      '/payment': page('Payment', `<h1>3 of 3: payment</h1>${form('/pay', card, 'Place order')}`),
    })[path],
  { '/add': '/cart', '/address': '/shipping', '/shipping': '/payment' },
)

/** The card is asked for by another site, in a frame. */
const paymentFrame = site(
  ({ path, host }) =>
    ({
      '/': addToCart,
      '/cart': page('Cart', '<h1>Cart</h1><p>Green tea</p><a href="/checkout">Check out</a>'),
      '/checkout': page(
        'Payment',
        `<h1>Payment</h1><p>$12.50</p><iframe title="Payment" width="500" height="300" src="http://${host.replace('127.0.0.1', 'localhost')}/frame"></iframe>`,
      ),
      '/frame': `<!doctype html><title>Payment</title>${form('/charge', card, 'Pay now')}`,
    })[path],
  { '/add': '/cart' },
)

/** The order needs an account. */
const account = site(
  ({ path }) =>
    ({
      '/': addToCart,
      '/cart': page('Cart', '<h1>Cart</h1><p>Green tea</p><a href="/login">Check out</a>'),
      '/login': page(
        'Log in',
        `<h1>Log in</h1>${form('/login', `${field('Email', 'email')}${field('Password', 'password', 'type="password"')}`, 'Log in')}`,
      ),
      '/confirm': page('Confirm', `<h1>Confirm</h1><p>Green tea, $12.50</p>${form('/pay', '', 'Place order')}`),
    })[path],
  { '/add': '/cart', '/login': '/confirm' },
)

const person = 'full name Ada Lovelace, email ada@shop.test, address 12 Mill Lane, phone 5550100'
const payment = 'card number 4111111111111111, security code 123'
const cardWords = 'card=4111111111111111 cvc=123'

export interface Checkout {
  readonly name: string
  readonly site: SiteDefinition<CheckoutState>
  readonly goal: string
  readonly received: readonly string[]
}

export const checkouts: readonly Checkout[] = [
  {
    name: 'everything on one page',
    site: onePage,
    goal: `check out with ${person}, ${payment}`,
    received: [`pay name=Ada Lovelace email=ada@shop.test ${cardWords}`],
  },
  {
    name: 'a cart and three pages',
    site: wizard,
    goal: `click Add to cart and check out with ${person}, ${payment}`,
    received: ['add', 'address name=Ada Lovelace address=12 Mill Lane', 'shipping phone=5550100', `pay ${cardWords}`],
  },
  {
    name: 'a payment frame of another site',
    site: paymentFrame,
    goal: `click Add to cart and check out with ${payment}`,
    received: ['add', `charge ${cardWords}`],
  },
  {
    name: 'a cart, an account and an order',
    site: account,
    goal: 'click Add to cart, click Check out, log in as ada@shop.test / correct-horse and check out',
    received: ['add', 'login email=ada@shop.test password=correct-horse', 'pay'],
  },
]
