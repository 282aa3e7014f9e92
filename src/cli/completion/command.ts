import { bash } from './bash.ts'
import { fish } from './fish.ts'
import { grammar } from './grammar.ts'
import { shells, type Shell } from './shells.ts'
import { zsh } from './zsh.ts'
import { findClosestName } from '../../core/text/closest-name.ts'
import { err, ok, type Result } from '../../core/result.ts'

const scripts: Record<Shell, typeof bash> = { bash, zsh, fish }

/** The completion script for the shell that `words` name. Errors are sentences. */
export function completion(words: readonly string[]): Result<string, string> {
  const [given, stray] = words
  const shell = shells.find((name) => name === given)
  if (shell && stray === undefined) return ok(scripts[shell](grammar()))
  if (shell) return err(`completion: unexpected argument "${stray}"`)
  const all = `Expected one of ${shells.join(', ')}, e.g. source <(footlight completion bash)`
  if (given === undefined) return err(`completion: missing shell name. ${all}`)
  const close = findClosestName(given, shells)
  return err(`completion: unknown shell "${given}". ${close ? `Did you mean ${close}?` : all}`)
}
