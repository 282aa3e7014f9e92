// @playwright/mcp with `browser_run_code_unsafe`: one piece of Playwright code for each round, which returns the page afterwards.

import { join } from 'node:path'
import type { CreateDriver } from '../driver.ts'
import type { Intent, Target } from '../task.ts'
import { createOwnProgram } from './own-program.ts'
import { refOf } from './playwright-mcp.ts'

export const createPlaywrightCodeDriver: CreateDriver = (agent) => {
  const { call } = agent
  const run = async (lines: readonly string[]) => {
    const code = `async (page) => { ${lines.join(' ')} }`
    await call('browser_run_code_unsafe', { code })
  }
  const program = createOwnProgram(agent, (url) => run([`await page.goto(${quote(url)});`, LOOK]))
  return {
    open: program.open,
    knows: (target) => refOf(agent, target) !== undefined,
    act: (intents) => run([...intents.map((intent) => codeOf(intent, agent.cwd)), LOOK]),
    look: async () => void (await call('browser_snapshot')),
    readLog: program.readLog,
    async close() {
      await call('browser_close')
      await program.stop()
    },
  }
}

const LOOK = `return await page.ariaSnapshot({ mode: 'ai' });`

const locatorOf = ({ role, name }: Target): string =>
  `page.getByRole(${quote(role)}, { name: ${quote(name)}, exact: true })`
const quote = (text: string): string => `'${text.replaceAll("'", "\\'")}'`

function codeOf(intent: Intent, cwd: string): string {
  const locator = locatorOf(intent.target)
  switch (intent.kind) {
    case 'fill':
      return `await ${locator}.fill(${quote(intent.value)});${intent.submit ? ` await ${locator}.press('Enter');` : ''}`
    case 'select':
      return `await ${locator}.selectOption(${quote(intent.value)});`
    case 'check':
      return `await ${locator}.check();`
    case 'drag':
      return `await ${locator}.dragTo(${locatorOf(intent.to)});`
    case 'upload':
      return `await ${locator}.setInputFiles(${quote(join(cwd, intent.path))});`
    case 'click':
    case 'download':
      return `await ${locator}.click();`
  }
}
