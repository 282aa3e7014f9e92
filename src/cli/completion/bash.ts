import type { Flag, Grammar } from './grammar.ts'

/** For bash 3.2 and later. */
export function bashScript({ commands, flags }: Grammar): string {
  const all = [...flags, ...commands.flatMap((verb) => verb.flags)]
  const words = (list: readonly Flag[]) => list.map(({ flag }) => flag).join(' ')
  const values = unique(all.filter(({ takes }) => Array.isArray(takes)))
  const flagsTaking = (takes: string) => unique(all.filter((flag) => flag.takes === takes))
  return `# footlight completion for bash: source <(footlight completion bash)
_footlight() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} words IFS=$' \\n'
  if [[ $cur == = ]]; then cur=
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  case $prev in
${values.map(({ flag, takes }) => `    ${flag}) COMPREPLY=($(compgen -W '${(takes as string[]).join(' ')}' -- "$cur")); return ;;`).join('\n')}
    ${flagsTaking('path')
      .map(({ flag }) => flag)
      .join('|')}) IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    ${flagsTaking('anything')
      .map(({ flag }) => flag)
      .join('|')}) return ;;
  esac
  words='${commands.map(({ name }) => name).join(' ')} ${words(flags)}'
  if ((COMP_CWORD > 1)); then
    case \${COMP_WORDS[1]} in
${commands.map((verb) => `      ${verb.name}) words='${[...verb.words, words(verb.flags)].join(' ')}' ;;`).join('\n')}
      *) words='${words(flags)}' ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o filenames -o bashdefault -F _footlight footlight
`
}

const unique = (list: readonly Flag[]): Flag[] => [...new Map(list.map((flag) => [flag.flag, flag])).values()]
