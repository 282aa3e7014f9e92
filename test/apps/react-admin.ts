import { expect, test } from 'bun:test'
import { runs } from './runs.ts'
import { SEEN_LIMIT_MS, type App } from './app.ts'

const USERNAME = { selector: 'input[name="username"]' }
const PASSWORD = { selector: 'input[name="password"]' }

runs(
  {
    name: 'react-admin',
    command: 'npm run dev',
    origin: 'http://localhost:5321',
    path: '/#/counter',
    source: 'src/counter.jsx',
    syntax: /Expected|Unexpected/,
    missing: /Failed to resolve import .{0,3}\.\/missing-module/,
  },
  (app) => {
    test(
      'signing in as admin with the password admin: what is typed can be read, but not the password',
      () => signIn(app()),
      100_000,
    )
    test('the data of the list can be read', () => readList(app()), 100_000)
  },
)

async function signIn({ call, open, shows }: App): Promise<void> {
  await open('/')
  await call('wait_for', { ...USERNAME, timeout: SEEN_LIMIT_MS })
  const fields = [
    { ...USERNAME, value: 'admin' },
    { ...PASSWORD, value: 'admin' },
  ]
  expect((await call('fill_form', { fields })).data).toMatchObject({ success: true, filled: 2 })
  const { snapshot } = (await call('snapshot')).data
  expect(snapshot).toMatch(/textbox "Username[^"]*"[^\n]*: admin/)
  expect(snapshot).toMatch(/textbox "Password[^"]*"(?![^\n]*admin)/)
  const script = `Object.fromEntries([...document.querySelectorAll('input')].map(({ name, value }) => [name, value]))`
  const { result } = (await call('evaluate', { script })).data
  expect(result).toEqual({ username: 'admin', password: '[redacted]' })
  expect((await call('click', { selector: 'button[type="submit"]' })).data).toMatchObject({ success: true })
  await shows('ada.lovelace@example.com')
}

async function readList({ call }: App): Promise<void> {
  const { snapshot } = (await call('snapshot', { maxChars: 50_000 })).data
  const { content } = (await call('get_content')).data
  const values = [
    'Grace Hopper (admin)',
    'Ada Lovelace',
    'ada.lovelace@example.com',
    'ORD-2026-1000',
    '3f0c1b52-6a1d-4a7e-9a55-0e2f4c8d7b10',
    'SAVE40',
    'CA',
    '22.5',
  ]
  for (const value of values) {
    expect(snapshot).toContain(value)
    expect(content).toContain(value)
  }
}
