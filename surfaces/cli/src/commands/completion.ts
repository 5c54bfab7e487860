import { requireKnownFlags, requireWords, unknownAction } from '../arguments.ts'
import type { CommandContext } from '../command.ts'
import { printJson } from '../print.ts'

const HELP_COMMAND = 'surehand help completion'

// Each script passes the words up to the cursor; the last one may be unfinished. Candidates are
// quoted, never evaluated.
const BASH = `# surehand completion for bash
_surehand() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("$(printf '%q' "$line")")
  done < <(surehand __complete bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _surehand surehand
`

const ZSH = `#compdef surehand
# surehand completion for zsh
_surehand() {
  local -a found texts
  local line
  while IFS= read -r line; do
    found+=("\${line%%$'\\t'*}")
    texts+=("\${line/$'\\t'/  }")
  done < <(surehand __complete zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then
    compadd -l -d texts -a found
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" = "_surehand" ]]; then
  _surehand "$@"
else
  compdef _surehand surehand
fi
`

const FISH = `# surehand completion for fish
function __surehand_complete
  set -l words (commandline -opc)
  surehand __complete fish -- $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c surehand -f -a '(__surehand_complete)'
`

const COMPLETION_SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH } as const

type Shell = keyof typeof COMPLETION_SCRIPTS

export async function completion({ line, terminal, format }: CommandContext): Promise<number> {
  const [shell = ''] = requireWords(
    requireKnownFlags(line, {}, HELP_COMMAND),
    ['A shell (bash, zsh, fish)'],
    HELP_COMMAND,
  )
  if (!isShell(shell)) throw unknownAction('completion', shell, Object.keys(COMPLETION_SCRIPTS))
  const script = COMPLETION_SCRIPTS[shell]
  if (format === 'json') printJson(terminal, { shell, script })
  else terminal.stdout.write(script)
  return 0
}

function isShell(name: string): name is Shell {
  return Object.hasOwn(COMPLETION_SCRIPTS, name)
}
