// The task of task.ts, in the words of each contender: what is asked next is found in what was answered.

import { page } from '../test/support/site.ts'

/** The application that it is done in. */
export const app = page(
  `<main id="root"></main><script>
  const root = document.querySelector('#root')
  const login = () => {
    root.innerHTML = '<h1>Log in</h1><form><label>User <input name="user"></label><label>Password <input name="password" type="password"></label><button>Log in</button></form>'
    root.querySelector('form').onsubmit = (event) => { event.preventDefault(); profile() }
  }
  const profile = () => {
    root.innerHTML = '<h1>Your profile</h1><form><label>Name <input name="name"></label><label>City <input name="city"></label><label>Plan <select name="plan"><option>Free</option><option>Pro</option></select></label><button>Save</button></form>'
    root.querySelector('form').onsubmit = (event) => { event.preventDefault(); todos(event.target.elements.name.value) }
  }
  const todos = (name) => {
    root.innerHTML = '<h1>Todos of ' + name + '</h1><input aria-label="New todo"><ul></ul><p id="left">0 left</p>'
    const count = () => { left.textContent = root.querySelectorAll('li input:not(:checked)').length + ' left' }
    root.querySelector('input').onkeydown = ({ key, target }) => {
      if (key !== 'Enter') return
      root.querySelector('ul').insertAdjacentHTML('beforeend', '<li><label><input type="checkbox"> ' + target.value + '</label></li>')
      target.value = ''
      root.querySelectorAll('li input').forEach((one) => (one.onchange = count))
      count()
    }
  }
  login()
</script>`,
  'Todos',
)

/** One call; answers its text. */
export type Act = (tool: string, input?: Record<string, unknown>) => Promise<string>

/** The ref before or after a name in what was answered. */
const find = (text: string, pattern: RegExp): string => {
  const ref = pattern.exec(text)?.[1]
  if (ref === undefined) throw new Error(`${pattern} is not in:\n${text.slice(0, 3000)}`)
  return ref
}

async function footlight(act: Act, url: string): Promise<string> {
  const sessionId = find(await act('create_session'), /Session (\w+) is open/)
  const go = (tool: string, input: Record<string, unknown> = {}) => act(tool, { sessionId, ...input })
  await go('navigate', { url })
  const first = await go('snapshot')
  const entered = await go('fill_form', {
    fields: [
      { ref: find(first, /textbox "User" \[(\w+)\]/), value: 'ada' },
      { ref: find(first, /textbox "Password" \[(\w+)\]/), value: 'secret' },
    ],
    submit: true,
  })
  const saved = await go('fill_form', {
    fields: [
      { ref: find(entered, /textbox "Name" \[(\w+)\]/), value: 'Ada' },
      { ref: find(entered, /textbox "City" \[(\w+)\]/), value: 'London' },
      { ref: find(entered, /combobox "Plan" \[(\w+)\]/), value: 'Pro' },
    ],
    submit: true,
  })
  const ref = find(saved, /textbox "New todo" \[(\w+)\]/)
  let last = ''
  for (const text of ['Milk', 'Bread', 'Tea']) last = await go('type', { ref, text, submit: true })
  const done = await go('click', { ref: find(last, /checkbox "Tea" \[(\w+)\]/) })
  await go('close_session')
  return done
}

async function playwrightMcp(act: Act, url: string): Promise<string> {
  await act('browser_navigate', { url })
  const first = await act('browser_snapshot')
  const field = (text: string, role: string, name: string) =>
    find(text, new RegExp(`${role} "${name}".*?\\[ref=(\\w+)\\]`))
  const text = (name: string, target: string, value: string) => ({ name, type: 'textbox', target, value })
  await act('browser_fill_form', {
    fields: [
      text('User', field(first, 'textbox', 'User'), 'ada'),
      text('Password', field(first, 'textbox', 'Password'), 'secret'),
    ],
  })
  await act('browser_click', { element: 'Log in', target: field(first, 'button', 'Log in') })
  const entered = await act('browser_snapshot')
  await act('browser_fill_form', {
    fields: [
      text('Name', field(entered, 'textbox', 'Name'), 'Ada'),
      text('City', field(entered, 'textbox', 'City'), 'London'),
      { name: 'Plan', type: 'combobox', target: field(entered, 'combobox', 'Plan'), value: 'Pro' },
    ],
  })
  await act('browser_click', { element: 'Save', target: field(entered, 'button', 'Save') })
  const saved = await act('browser_snapshot')
  const target = field(saved, 'textbox', 'New todo')
  for (const value of ['Milk', 'Bread', 'Tea'])
    await act('browser_type', { element: 'New todo', target, text: value, submit: true })
  const listed = await act('browser_snapshot')
  await act('browser_click', { element: 'Tea', target: field(listed, 'checkbox', 'Tea') })
  return act('browser_snapshot')
}

async function devtools(act: Act, url: string): Promise<string> {
  const opened = await act('new_page', { url })
  const uid = (text: string, role: string, name: string) =>
    find(text, new RegExp(`uid=(\\w+) ${role} "${name}"`))
  const pageId = Number(find(opened, /(\d+): [^\n]*\[selected\]/))
  const go = (tool: string, input: Record<string, unknown> = {}) => act(tool, { pageId, ...input })
  const first = await go('take_snapshot')
  await go('fill_form', {
    elements: [
      { uid: uid(first, 'textbox', 'User'), value: 'ada' },
      { uid: uid(first, 'textbox', 'Password'), value: 'secret' },
    ],
  })
  const entered = await go('click', { uid: uid(first, 'button', 'Log in'), includeSnapshot: true })
  await go('fill_form', {
    elements: [
      { uid: uid(entered, 'textbox', 'Name'), value: 'Ada' },
      { uid: uid(entered, 'textbox', 'City'), value: 'London' },
      { uid: uid(entered, 'combobox', 'Plan'), value: 'Pro' },
    ],
  })
  let last = await go('click', { uid: uid(entered, 'button', 'Save'), includeSnapshot: true })
  for (const value of ['Milk', 'Bread', 'Tea']) {
    await go('fill', { uid: uid(last, 'textbox', 'New todo'), value })
    last = await go('press_key', { key: 'Enter', includeSnapshot: true })
  }
  return go('click', { uid: uid(last, 'checkbox', 'Tea'), includeSnapshot: true })
}

async function agentBrowser(act: Act, url: string): Promise<string> {
  const go = (tool: string, input: Record<string, unknown> = {}) => act(`agent_browser_${tool}`, input)
  const ref = (text: string, role: string, name: string) =>
    `@${find(text, new RegExp(`${role} "${name}" \\[.*?ref=(\\w+)`))}`
  await go('open', { url })
  const first = await go('snapshot')
  await go('fill', { selector: ref(first, 'textbox', 'User'), text: 'ada' })
  await go('fill', { selector: ref(first, 'textbox', 'Password'), text: 'secret' })
  await go('click', { selector: ref(first, 'button', 'Log in') })
  const entered = await go('snapshot')
  await go('fill', { selector: ref(entered, 'textbox', 'Name'), text: 'Ada' })
  await go('fill', { selector: ref(entered, 'textbox', 'City'), text: 'London' })
  await go('select', { selector: ref(entered, 'combobox', 'Plan'), values: ['Pro'] })
  await go('click', { selector: ref(entered, 'button', 'Save') })
  const field = ref(await go('snapshot'), 'textbox', 'New todo')
  for (const text of ['Milk', 'Bread', 'Tea']) {
    await go('fill', { selector: field, text })
    await go('press', { key: 'Enter' })
  }
  await go('check', { selector: ref(await go('snapshot'), 'checkbox', 'Tea') })
  // Its snapshot leaves plain text out.
  return go('eval', { script: "document.querySelector('#left').textContent" })
}

/** Does the whole task, and answers what was seen at its end. */
type Perform = (act: Act, url: string) => Promise<string>
export const ways: Readonly<Record<string, Perform>> = {
  footlight,
  '@playwright/mcp': playwrightMcp,
  'chrome-devtools-mcp': devtools,
  'agent-browser': agentBrowser,
}
