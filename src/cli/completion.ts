import { assert } from '#core/assert.ts'
import type { Choices, Command } from './command.ts'
import { globalOptions, settingOptions } from './setting-options.ts'

/** What may stand at one place of a call: words, or `@files`, `@machines`, … for what is looked up. */
type Words = string

/** All that a shell needs to complete the calls of `tickmesh`. A path is `/machines/list`, the root is empty. */
export interface CompletionTables {
  readonly paths: readonly string[]
  /** Options that take a value: wherever they stand, or as `path:option` where another command has a bare one. */
  readonly valued: readonly string[]
  /** By path. */
  readonly options: ReadonlyMap<string, Words>
  /** By path, a space and the number of the word, from 0. */
  readonly words: ReadonlyMap<string, Words>
  /** By path, a space and the option. */
  readonly values: ReadonlyMap<string, Words>
}

const wordsOf = (choices: Choices): Words => (typeof choices === 'string' ? `@${choices}` : choices.join(' '))

type Option = NonNullable<Command['options']>[number]

const namesOf = ({ flags }: Option): readonly string[] => flags.match(/(?<![\w-])--?[a-z][\w-]*/g) ?? []
const isValued = ({ flags }: Option): boolean => flags.includes('<')

const optionsOf = ({ options = [], settings }: Command): readonly Option[] => [
  ...options,
  ...settingOptions(settings),
  ...globalOptions,
  { flags: '--help', help: '' },
]

const prefixes = (path: string): readonly string[] => {
  const words = path.split(' ')
  return words.map((_, i) => `/${words.slice(0, i + 1).join('/')}`)
}

/** The words that may follow a path as its next one: the commands below it. */
const below = (path: string, paths: readonly string[]): readonly string[] =>
  paths
    .filter((it) => it.startsWith(`${path}/`) && !it.slice(path.length + 1).includes('/'))
    .map((it) => it.slice(path.length + 1))

/** Words that one repeated argument is completed for. */
const REPEATED_MAX = 16

const collect = (shown: readonly Command[], paths: readonly string[]) => {
  const options = new Map<string, Words>()
  const words = new Map<string, Words>()
  const values = new Map<string, Words>()
  for (const path of ['', ...paths]) {
    const next = below(path, paths)
    if (next.length > 0) words.set(`${path} 0`, next.join(' '))
    options.set(path, [...globalOptions.flatMap(namesOf), '--help', ...(path === '' ? ['--version'] : [])].join(' '))
  }
  for (const it of shown) {
    const path = `/${it.path.replaceAll(' ', '/')}`
    options.set(path, optionsOf(it).flatMap(namesOf).join(' '))
    for (const [i, { name, choices }] of (it.args ?? []).entries()) {
      // A name that is looked up cannot stand beside fixed words: the commands below come first.
      if (choices === undefined || (i === 0 && below(path, paths).length > 0)) continue
      const more = name.includes('...') ? REPEATED_MAX : 1
      for (let n = i; n < i + more; n++) words.set(`${path} ${n}`, wordsOf(choices))
    }
    for (const option of optionsOf(it)) {
      if (option.choices === undefined || !isValued(option)) continue
      for (const name of namesOf(option)) values.set(`${path} ${name}`, wordsOf(option.choices))
    }
  }
  return { options, words, values }
}

/** The tables of these commands. */
export const completionTables = (commands: readonly Command[]): CompletionTables => {
  const shown = commands.filter(({ hidden }) => hidden !== true)
  const paths = [...new Set(shown.flatMap(({ path }) => prefixes(path)))]
  const bare = new Set(
    shown.flatMap((it) =>
      optionsOf(it)
        .filter((option) => !isValued(option))
        .flatMap(namesOf),
    ),
  )
  const valuedOf = (it: Command): readonly string[] => {
    const names = optionsOf(it).filter(isValued).flatMap(namesOf)
    return names.map((name) => (bare.has(name) ? `/${it.path.replaceAll(' ', '/')}:${name}` : name))
  }
  const valued = [...new Set(shown.flatMap(valuedOf))]
  return { paths, valued, ...collect(shown, paths) }
}

/** Shells that completion is made for. */
export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** Everything that stands in a table is a plain word, so that nothing in a script has to be escaped. */
const PLAIN = /^[\w@/. <>|:+-]*$/

const cases = (table: ReadonlyMap<string, Words>, indent: string): string =>
  [...table]
    .map(([key, words]) => {
      assert(PLAIN.test(key) && PLAIN.test(words), 'a word of the command line needs no escaping')
      return `${indent}'${key}') list='${words}' ;;`
    })
    .join('\n')

/** Where in the call the cursor is, in the language that bash and zsh share. */
const posix = ({ paths, valued, options, words, values }: CompletionTables): string => `\
  local word at='' list='' n=0 skip=0
  local valued=' ${valued.join(' ')} ' known=' ${paths.join(' ')} '
  for word in "\${before[@]}"; do
    if ((skip)); then skip=0; continue; fi
    if [[ $word == -* ]]; then
      if [[ $valued == *" $word "* || $valued == *" $at:$word "* ]]; then skip=1; fi
      continue
    fi
    if ((n == 0)) && [[ $known == *" $at/$word "* ]]; then at=$at/$word; else n=$((n + 1)); fi
  done
  if ((skip)); then
    case "$at $previous" in
${cases(values, '      ')}
    esac
  elif [[ $current == -* ]]; then
    case "$at" in
${cases(options, '      ')}
    esac
  else
    case "$at $n" in
${cases(words, '      ')}
    esac
  fi`

const bash = (tables: CompletionTables): string => `\
# bash completion for tickmesh: source <(tickmesh completion bash)
_tickmesh() {
  # Bash takes a word apart at each = in it; an input, name=value, is one word again here.
  local piece glued=0
  local -a before=()
  for piece in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if ((\${#before[@]})) && { ((glued)) || [[ $piece == '=' && \${before[-1]} != -* ]]; }; then
      before[-1]+=$piece
    else
      before+=("$piece")
    fi
    if [[ $piece == '=' ]]; then glued=1; else glued=0; fi
  done
  local current=\${before[-1]}
  unset 'before[-1]'
  local previous=''
  if ((\${#before[@]})); then previous=\${before[-1]}; fi
${posix(tables)}
  case "$list" in
    @files)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return ;;
    @*) list=$(tickmesh __complete "\${list#@}" -- "\${before[@]}" 2>/dev/null) ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$list" -- "$current")
  if [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
  # Of such a word bash puts in what stands behind the = alone.
  if [[ $current == *=* && $COMP_WORDBREAKS == *=* ]]; then COMPREPLY=("\${COMPREPLY[@]#"\${current%%=*}="}"); fi
}
complete -F _tickmesh tickmesh
`

const zsh = (tables: CompletionTables): string => `\
#compdef tickmesh
# zsh completion for tickmesh: source <(tickmesh completion zsh), after compinit
_tickmesh() {
  local current="\${words[CURRENT]}" previous="\${words[CURRENT - 1]}"
  local -a before
  before=("\${(@)words[2,CURRENT - 1]}")
${posix(tables)}
  case "$list" in
    @files) _files; return ;;
    @*) list=$(tickmesh __complete "\${list#@}" -- "\${before[@]}" 2>/dev/null) ;;
  esac
  local -a all=(\${=list})
  compadd -S '' -- \${(M)all:#*=}
  compadd -- \${all:#*=}
}
if [ "$funcstack[1]" = "_tickmesh" ]; then _tickmesh; else compdef _tickmesh tickmesh; fi
`

const fishCases = (table: ReadonlyMap<string, Words>): string =>
  cases(table, '').replace(/^'(.*)'\) list='(.*)' ;;$/gm, "      case '$1'\n        set list '$2'")

const fish = ({ paths, valued, options, words, values }: CompletionTables): string => `\
# fish completion for tickmesh: tickmesh completion fish | source
function __tickmesh_words
  set -l tokens (commandline -opc)
  set -l current (commandline -ct)
  set -l valued ${valued.join(' ')}
  set -l known ${paths.join(' ')}
  set -l at ''
  set -l list ''
  set -l previous ''
  set -l n 0
  set -l skip 0
  for word in $tokens[2..-1]
    set previous $word
    if test $skip -eq 1
      set skip 0
    else if string match -q -- '-*' $word
      contains -- $word $valued; or contains -- $at:$word $valued; and set skip 1
    else if test $n -eq 0; and contains -- "$at/$word" $known
      set at "$at/$word"
    else
      set n (math $n + 1)
    end
  end
  if test $skip -eq 1
    switch "$at $previous"
${fishCases(values)}
    end
  else if string match -q -- '-*' $current
    switch "$at"
${fishCases(options)}
    end
  else
    switch "$at $n"
${fishCases(words)}
    end
  end
  switch "$list"
    case ''
      return
    case '@files'
      __fish_complete_path $current
    case '@*'
      tickmesh __complete (string sub -s 2 -- $list) -- $tokens[2..-1] 2>/dev/null
    case '*'
      string split ' ' -- $list
  end
end
complete -c tickmesh -f -a '(__tickmesh_words)'
`

/** The script that teaches a shell the calls of `tickmesh`. */
export const completionScript = (shell: Shell, tables: CompletionTables): string => ({ bash, zsh, fish })[shell](tables)
