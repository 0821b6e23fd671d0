import { givenOf, writtenFault, type Env } from '@ergon/process'

/** What the environment says, unjudged. */
export type RawSettings = {
  readonly text: (name: string) => string | undefined
  readonly rpcUrls: ReadonlyMap<string, string>
  /** Of every setting that is set. */
  readonly names: readonly string[]
  /** What is wrong with how it is written; undefined: nothing. */
  readonly fault: string | undefined
  /** What is told at the start and refuses nothing; whatever reads a setting adds to it. */
  readonly warnings: Set<string>
}

const rpcPrefix = 'SVC_RPC_'

export function readEnv(env: Env): RawSettings {
  const given = givenOf(env)
  const rpcUrls = new Map<string, string>()
  for (const [key, value] of Object.entries(given)) {
    if (!key.startsWith(rpcPrefix) || value === undefined) continue
    rpcUrls.set(key.slice(rpcPrefix.length).toLowerCase().replaceAll('_', '-'), value)
  }
  const names = Object.keys(given).filter((name) => name.startsWith('SVC_'))
  return { text: (name) => given[name], rpcUrls, names, fault: writtenFault(env, 'SVC_'), warnings: new Set() }
}
