// The runner of a server, with the browsers that Footlight itself would use.

import process from 'node:process'
import { findWorkspaceFolder, resolveRealPath } from '../../core/base/files/workspace-roots.ts'
import { findExecutable } from '../../core/browser/process/find-executable.ts'
import { readSandboxFacts, sandboxProblem } from '../../core/browser/process/sandbox.ts'
import type { Settings } from '../../core/cli/options/options.ts'
import { hasDisplay } from '../../core/cli/serve/display.ts'
import type { ServerStart } from '../../core/tool/feature.ts'
import type { TestBrowsers } from './run-playwright.ts'
import { type ClosableTestRunner, createTestRunner } from './start-test-run.ts'

export const createTests = ({ settings, limits, createContext }: ServerStart): ClosableTestRunner =>
  createTestRunner({
    createContext,
    findBrowsers: () => findBrowsers(settings),
    workspace: findWorkspaceFolder() ?? resolveRealPath(process.cwd()),
    limits,
    outputFolder: settings.outputDir,
  })

function findBrowsers({ browser, executablePath }: Settings): TestBrowsers {
  const isChromium = browser !== 'firefox' && browser !== 'webkit'
  const requestedPath = isChromium ? executablePath : undefined
  const find = (headless: boolean) => requestedPath ?? findExecutable({ browser: 'chromium', headless }).path
  const [withWindows, headlessShell] = [find(false), find(true)]
  const path = withWindows ?? headlessShell
  return {
    browser: withWindows,
    headlessShell,
    hasSandbox: path === undefined || sandboxProblem(readSandboxFacts(path)) === undefined,
    hasDisplay: hasDisplay(),
  }
}
