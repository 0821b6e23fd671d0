/** The environment as a process has it. */
export type Env = Readonly<Record<string, string | undefined>>

/** What an environment sets: an empty value counts as unset, for every service and every name. */
export function givenOf(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
}
