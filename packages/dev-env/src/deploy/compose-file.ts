import { parse } from 'yaml'
import { readDeployed } from './proxy.ts'

/** What of `deploy/compose.yml` is tried: how each service of ours runs. */
export type ComposeService = {
  readonly image: string
  readonly command: readonly string[]
  readonly env_file: string
  readonly environment: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
  readonly ports: readonly string[]
  readonly volumes?: readonly string[]
  readonly healthcheck: { readonly test: readonly string[] }
  readonly read_only: boolean
  readonly cap_drop: readonly string[]
  readonly security_opt: readonly string[]
  readonly stop_grace_period: string
}

export type ComposeFile = {
  readonly services: { readonly facilitator: ComposeService; readonly server: ComposeService }
  readonly volumes: Readonly<Record<string, null>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
  readonly networks: {
    readonly inside: { readonly ipam: { readonly config: readonly [{ readonly gateway: string }] } }
  }
}

/** The file of containers, its repetitions filled in. */
export const readCompose = (): ComposeFile => parse(readDeployed('compose.yml'), { merge: true }) as ComposeFile // ours
