// What is said of steps that ended on a login, on an error, or elsewhere than asked.

import { expect, test } from 'bun:test'
import {
  describeEndings,
  type EndedPage,
  type EndedStep,
  WAY_OUT,
} from '../../../src/features/compare/differences/step-endings.ts'

const page = (address: string, texts: readonly string[], more: Partial<EndedPage> = {}): EndedPage => ({
  view: { address, title: 'Shop', lines: texts.map((text) => ({ text })), requests: [] },
  status: 200,
  asksPassword: false,
  ...more,
})
const step = (number: number, target: string, base: EndedPage, current = base): EndedStep => ({
  number,
  target,
  isLogin: false,
  base,
  current,
})
const cart = page('/cart', ['heading "Cart"', 'button "Pay"'])
const login = page('/login', ['heading "Log in"', 'textbox "Password"'], { asksPassword: true })

test('steps that ended as asked, and a login that was asked for, need no word', () => {
  const steps = [
    step(1, '/cart', cart),
    step(2, '/cart/?sort=1#top', cart),
    step(3, '/login', login),
    step(4, '/', page('/index.html', ['heading "Sign up for our letter"'])),
    { ...step(5, '/account', login), isLogin: true },
    step(6, '/500-teas', page('/500-teas', ['heading "500 teas"'])),
  ]
  expect(describeEndings(steps)).toEqual([])
})

test('two pages that led to one login are one sentence, with the way out', () => {
  expect(describeEndings([step(1, '/', login), step(2, '/cart', login)])).toEqual([
    'Steps 1 and 2 show the page of /login (heading "Log in"), which is not the one that was asked for, a form with a password in both versions.',
    WAY_OUT,
  ])
})

test.each([
  [
    'a form at the same address',
    page('/cart', ['heading "Cart"'], { asksPassword: true }),
    'a form with a password',
  ],
  ['401', page('/cart', ['text: Unauthorized'], { status: 401 }), 'status 401'],
  ['403', page('/cart', ['heading "Members only"'], { status: 403 }), 'status 403'],
  ['404 for guests', page('/cart', ['heading "Nothing here"'], { status: 404 }), 'status 404'],
  ['a modal', page('/cart', ['heading "Cart"', 'dialog "Sign in"', 'textbox "Mail"']), '"Sign in"'],
  [
    'another origin',
    page('https://id.example/authorize?x=1', ['heading "Choose an account"']),
    'https://id.example/authorize',
  ],
  [
    'an expired session',
    page('/cart', ['text: Your session has expired, please log in again']),
    '"Your session has expired',
  ],
  ['its words in another language', page('/cart', ['heading "Bitte melden Sie sich an"']), '"Bitte melden'],
])('a page behind a login: %s', (_, ended, words) => {
  const [sentence, wayOut] = describeEndings([step(1, '/cart', ended)])
  expect(sentence).toStartWith('Step 1 shows ')
  expect(sentence).toContain(words)
  expect(sentence).toEndWith(' in both versions.')
  expect(wayOut).toBe(WAY_OUT)
})

test('an error of one version is said with its name, and no login is the way out of it', () => {
  const failing = page('/cart', ['text: TypeError'], { status: 500 })
  expect(describeEndings([step(2, '/cart', cart, failing)])).toEqual([
    'Step 2 shows status 500 at /cart in the current version.',
  ])
  const covered = page('/cart', [], { overlay: 'Vite' })
  expect(describeEndings([step(2, '/cart', covered)])).toEqual([
    'Step 2 shows the error of Vite and an empty page at /cart in both versions.',
  ])
})

test('a page with a link to the login is no login', () => {
  const lines = [
    'link "Log in" → /login',
    'heading "Teas"',
    ...Array.from({ length: 20 }, (_, i) => `text: ${i}`),
  ]
  expect(describeEndings([step(1, '/', page('/', [...lines, 'text: Log in to comment']))])).toEqual([])
})

test('where the fragment is the page, another one is elsewhere', () => {
  expect(describeEndings([step(1, '/#/cart', page('/#/start', ['heading "Start"']))])[0]).toContain(
    '/#/start',
  )
})

test('a way to log in without a password is a login, in a short page', () => {
  for (const name of [
    'Continue with Google',
    'Sign in with a passkey',
    'Email me a login link',
    'Continue with email',
  ])
    expect(
      describeEndings([
        step(1, '/account', page('/account', ['heading "Welcome back"', `button "${name}"`])),
      ])[0],
    ).toBe(`Step 1 shows "${name}" at /account (heading "Welcome back") in both versions.`)
  const shop = ['heading "Teas"', 'button "Continue with payment"', 'button "Email the shop"']
  expect(describeEndings([step(1, '/', page('/', shop))])).toEqual([])
})

test('an error that a program writes into a page of status 200 is an error page', () => {
  const failing = page('/cart', [
    'heading "Cart"',
    'text: Fatal error: Uncaught Error: Call to f() in /a.php:1',
  ])
  expect(describeEndings([step(1, '/cart', failing)])).toEqual([
    'Step 1 shows an error page at /cart (heading "Cart") in both versions.',
  ])
  const log = page('/log', [
    'heading "Log"',
    ...Array.from({ length: 20 }, (_, index) => `text: Uncaught TypeError: ${index}`),
    'button "Older"',
  ])
  expect(describeEndings([step(1, '/log', log)])).toEqual([])
  const help = page('/help', ['heading "Help"', 'text: What to do at a fatal error: call us'])
  expect(describeEndings([step(1, '/help', help)])).toEqual([])
})

test('what both versions asked their servers for in vain is said; what one did is a difference', () => {
  const asking = (...texts: string[]) => {
    const { view, ...rest } = cart
    return { ...rest, view: { ...view, requests: texts.map((text) => ({ text, key: text })) } }
  }
  const failed = asking(
    'GET /api/teas → 502',
    'GET /b → 404',
    'GET https://fonts.example/a → failed (net::ERR_FAILED)',
  )
  expect(describeEndings([step(1, '/cart', failed)])).toEqual([
    'A request of step 1 failed in both versions: GET /api/teas → 502.',
  ])
  expect(describeEndings([step(1, '/cart', asking('GET /api → 502'), asking('GET /api → ok'))])).toEqual([])
})
