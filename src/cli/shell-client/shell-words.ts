import { otherCommands } from '../options/command-names.ts'

/** Options that stand before a verb. */
const FIRST_OPTION = /^(-s|--session|--owner-pid)(=|$)/

/** Whether these words are a command for the server of the shell, also if there is no such verb. */
export function isShellCommand([first = '', ...rest]: readonly string[]): boolean {
  if (FIRST_OPTION.test(first)) return true
  return (
    /^[a-z]/i.test(first) &&
    !otherCommands.includes(first) &&
    !rest.some((word) => word === '--help' || word === '-h')
  )
}
