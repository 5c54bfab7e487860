import { sep } from 'node:path'

/** What the variables in a client's file may refer to. */
export type VariableScope = {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** The folder of the project, for a file that belongs to one. */
  readonly project: string | undefined
  /** Answers to what the client asks a person for. */
  readonly inputs: ReadonlyMap<string, string>
}

export type Expanded =
  | { readonly text: string }
  /** The reason why a variable has no value. */
  | { readonly missing: string }

/** Fills in `${env:NAME}`, `${NAME}`, `${NAME:-default}`, `${input:ID}` and the folders. */
export function expandVariables(text: string, scope: VariableScope): Expanded {
  let missing: string | undefined
  const fill = (name: string): string => {
    const found = findValue(name, scope)
    if ('text' in found) return found.text
    missing ??= found.missing
    return ''
  }
  const whole = /^\$([A-Z_][A-Z0-9_]*)$/.exec(text)?.[1]
  const filled =
    whole === undefined
      ? text.replaceAll(/\$\{([^{}]+)\}/g, (_, name: string) => fill(name))
      : fill(whole)
  return missing === undefined ? { text: filled } : { missing }
}

function findValue(written: string, scope: VariableScope): Expanded {
  const { environment, home, project, inputs } = scope
  switch (written) {
    case 'userHome':
      return { text: home }
    case 'pathSeparator':
    case '/':
      return { text: sep }
    case 'workspaceFolder':
    case 'workspaceRoot':
    case 'CLAUDE_PROJECT_DIR':
      return project === undefined
        ? { missing: `it refers to \${${written}}, and this file belongs to no project` }
        : { text: project }
    case 'workspaceFolderBasename':
      return project === undefined
        ? { missing: `it refers to \${${written}}, and this file belongs to no project` }
        : { text: project.split(sep).at(-1) ?? '' }
  }
  const [, input] = /^input:(.+)$/.exec(written) ?? []
  if (input !== undefined) {
    const answer = inputs.get(input)
    return answer === undefined
      ? {
          missing: `it asks for the input "${input}": set an environment variable to its value and name it with --input ${input}=VARIABLE`,
        }
      : { text: answer }
  }
  const [, name = '', standard] = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s.exec(written) ?? []
  if (name === '') return { missing: `it refers to \${${written}}, which only its client knows` }
  const value = environment[name] ?? standard
  return value === undefined
    ? { missing: `it reads the environment variable ${name}, which is not set here: set it first` }
    : { text: value }
}
