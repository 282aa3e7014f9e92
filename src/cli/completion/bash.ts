import type { CommandGrammar, Flag, Grammar } from './grammar.ts'

/** For bash 3.2 and later. */
export function bashScript({ commands, subCommands, flags }: Grammar): string {
  const all = [...flags, ...[...subCommands, ...commands].flatMap((verb) => verb.flags)]
  const wordsOf = (verb: CommandGrammar) => [...verb.words, words(verb.flags)].join(' ')
  const words = (list: readonly Flag[]) => list.map(({ flag }) => flag).join(' ')
  const values = unique(all.filter(({ takes }) => Array.isArray(takes)))
  const flagsTaking = (takes: string) => unique(all.filter((flag) => flag.takes === takes))
  return `# footlight completion for bash: source <(footlight completion bash)
_footlight() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} verb=\${COMP_WORDS[1]} words IFS=$' \\n'
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
    [[ $COMP_CWORD -gt 2 ]] && verb+=" \${COMP_WORDS[2]}"
    case $verb in
${subCommands.map((verb) => `      '${verb.name}') words='${wordsOf(verb)}' ;;`).join('\n')}
${commands.map((verb) => `      ${verb.name}|${verb.name}\\ *) words='${wordsOf(verb)}' ;;`).join('\n')}
      *) words='${words(flags)}' ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o filenames -o bashdefault -F _footlight footlight
`
}

const unique = (list: readonly Flag[]): Flag[] => [...new Map(list.map((flag) => [flag.flag, flag])).values()]
