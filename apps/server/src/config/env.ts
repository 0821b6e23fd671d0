/** The environment as a process has it. */
export type Env = Readonly<Record<string, string | undefined>>

/** What the environment says, unjudged; an empty value counts as unset. */
export type RawSettings = {
  readonly text: (name: string) => string | undefined
  readonly rpcUrls: ReadonlyMap<string, string>
  /** Of every setting that is set. */
  readonly names: readonly string[]
}

const rpcPrefix = 'SVC_RPC_'

export function readEnv(env: Env): RawSettings {
  const rpcUrls = new Map<string, string>()
  for (const [key, value] of Object.entries(env)) {
    if (!key.startsWith(rpcPrefix) || value === undefined || value === '') continue
    rpcUrls.set(key.slice(rpcPrefix.length).toLowerCase().replaceAll('_', '-'), value)
  }
  const names = Object.keys(env).filter(
    (name) => name.startsWith('SVC_') && env[name] !== undefined && env[name] !== '',
  )
  return { text: (name) => (env[name] === '' ? undefined : env[name]), rpcUrls, names }
}
