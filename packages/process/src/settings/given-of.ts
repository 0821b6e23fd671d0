/** The environment as a process has it. */
export type Env = Readonly<Record<string, string | undefined>>

/**
 * What an environment sets, without the space around it, such as the end of a line of Windows: an empty value counts as
 * unset, for every service and every name.
 */
export function givenOf(env: Env): Env {
  const trimmed = Object.entries(env).map(([name, value]) => [name, value?.trim()] as const)
  return Object.fromEntries(trimmed.filter(([, value]) => value !== undefined && value !== ''))
}
