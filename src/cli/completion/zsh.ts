import type { Flag, Grammar } from './grammar.ts'

/** For zsh with its completion system on (compinit). */
export function zshScript({ commands, subCommands, flags }: Grammar): string {
  const specs = (list: readonly Flag[]) => list.map((flag) => `    ${quote(flagSpec(flag))}`).join(' \\\n')
  const cases = [...commands, ...subCommands].map(
    ({ name, words, flags: commandFlags }) =>
      `    ${quote(name)}) _arguments -S \\\n${specs(commandFlags)} \\\n    ${quote(words.length > 0 ? `*: :(${words.join(' ')})` : '*: : ')} ;;`,
  )
  return `#compdef footlight
# footlight completion for zsh: source <(footlight completion zsh), after compinit
_footlight() {
  local -a verbs
  verbs=(
${commands.map(({ name, about }) => `    ${quote(`${name}:${about.replaceAll(':', '\\:')}`)}`).join('\n')}
  )
  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
    _describe -t commands command verbs
    return
  fi
  local verb=$words[2]
  if ((\${verbs[(I)$verb:*]})); then
    words=($words[1] \${words[3,-1]})
    ((CURRENT -= 1))
    case "$verb $words[2]" in
      ${subCommands.map(({ name }) => quote(name)).join('|')})
        if ((CURRENT > 2)); then
          verb="$verb $words[2]"
          words=($words[1] \${words[3,-1]})
          ((CURRENT -= 1))
        fi ;;
    esac
  fi
  case $verb in
${cases.join('\n')}
    *) _arguments -S \\
${specs(flags)} ;;
  esac
}
if [[ $funcstack[1] == _footlight ]]; then _footlight "$@"; else compdef _footlight footlight; fi
`
}

function flagSpec({ flag, about, takes }: Flag): string {
  const text = about ? `[${about.replace(/[[\]\\]/g, '\\$&')}]` : ''
  if (takes === 'nothing') return `${flag}${text}`
  const value = takes === 'path' ? '_files' : takes === 'anything' ? ' ' : `(${takes.join(' ')})`
  return `${flag}=${text}: :${value}`
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
