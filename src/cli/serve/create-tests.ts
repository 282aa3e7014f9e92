import process from 'node:process'
import { serverLimits } from './client-limits.ts'
import { hasDisplay } from './display.ts'
import type { Settings } from '../options/options.ts'
import { findExecutable } from '../../browser/find/find-executable.ts'
import { readSandboxFacts, sandboxProblem } from '../../browser/launch/sandbox.ts'
import type { ServerContext } from '../../devserver/start/server-context.ts'
import type { TestBrowsers } from '../../devserver/test-run/run-playwright.ts'
import { createTestRunner, type ClosableTestRunner } from '../../devserver/test-run/test-runner.ts'
import { findWorkspaceFolder, resolveRealPath } from '../../runtime/files/workspace-roots.ts'

/** The runner of the user's tests, with the browsers that Footlight itself would use. */
export const createTests = (
  settings: Settings,
  isHttp: boolean,
  createContext: () => ServerContext,
): ClosableTestRunner =>
  createTestRunner({
    createContext,
    findBrowsers: () => findBrowsers(settings),
    workspace: findWorkspaceFolder() ?? resolveRealPath(process.cwd()),
    limits: serverLimits(settings, isHttp),
  })

// --- internal ---

function findBrowsers({ browser, executablePath }: Settings): TestBrowsers {
  const isChromium = browser !== 'firefox' && browser !== 'webkit'
  const requestedPath = isChromium ? executablePath : undefined
  const find = (headless: boolean) => requestedPath ?? findExecutable({ browser: 'chromium', headless }).path
  const [withWindows, headlessShell] = [find(false), find(true)]
  const path = withWindows ?? headlessShell
  return {
    ...(withWindows !== undefined && { browser: withWindows }),
    ...(headlessShell !== undefined && { headlessShell }),
    hasSandbox: path === undefined || sandboxProblem(readSandboxFacts(path)) === undefined,
    hasDisplay: hasDisplay(),
  }
}
