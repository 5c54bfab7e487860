/** The environment variables of a child process. */
export type ChildEnvironmentForm = {
  /**
   * Names of variables that it inherits. `PATH` is always inherited, others only if they are named.
   */
  readonly inherit?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Further variables whose values are hidden in every answer, error and log. */
  readonly secrets?: Readonly<Record<string, string>>
}

export type ChildEnvironment = {
  readonly variables: Readonly<Record<string, string>>
  /** Values to hide: declared secrets, and variables with names like `API_KEY`. */
  readonly secrets: readonly string[]
}

// Without PATH the command is not found. HOME is not inherited, because the directory may contain
// credentials.
const ALWAYS = ['PATH']
const SOUNDS_SECRET =
  /token|secret|passw|passphrase|key|credential|auth|cookie|session|private|dsn/i

/** Whether a variable, a header or a flag with this name probably holds a secret. */
export function soundsSecret(name: string): boolean {
  return SOUNDS_SECRET.test(name)
}

/** The complete environment of a child process. */
export function childEnvironment(
  form: ChildEnvironmentForm,
  environment: Readonly<Record<string, string | undefined>>,
): ChildEnvironment {
  const names = new Set([...ALWAYS, ...(form.inherit ?? [])])
  const inherited = [...names].flatMap((name) => {
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined
    return value === undefined ? [] : [[name, value] as const]
  })
  const given = [...inherited, ...Object.entries(form.env ?? {})]
  const secrets = Object.entries(form.secrets ?? {})
  return {
    variables: Object.fromEntries([...given, ...secrets]),
    secrets: [...given.filter(([name]) => soundsSecret(name)), ...secrets].map(
      ([, value]) => value,
    ),
  }
}
