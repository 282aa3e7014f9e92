import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import { createGrammar } from './grammar.ts'
import { shells, type Shell } from './shells.ts'
import { zshScript } from './zsh.ts'
import { findClosestName } from '../../core/text/closest-name.ts'
import { err, ok, type Result } from '../../core/result.ts'

const scripts: Record<Shell, typeof bashScript> = { bash: bashScript, zsh: zshScript, fish: fishScript }

/** The completion script for the shell that `words` name. Errors are sentences. */
export function completionScript(words: readonly string[]): Result<string, string> {
  const [input, stray] = words
  const shell = shells.find((name) => name === input)
  if (shell && stray === undefined) return ok(scripts[shell](createGrammar()))
  if (shell) return err(`completion: unexpected argument "${stray}"`)
  const expected = `Expected one of ${shells.join(', ')}, e.g. source <(footlight completion bash)`
  if (input === undefined) return err(`completion: name a shell. ${expected}`)
  const closest = findClosestName(input, shells)
  return err(`completion: unknown shell "${input}". ${closest ? `Did you mean ${closest}?` : expected}`)
}
