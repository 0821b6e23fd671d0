import { ConfigError } from './config-error.ts'
import type { RawSettings } from './env.ts'

/** The app for people, and what its page is told. */
export type WebSettings = { readonly dir: string; readonly faucetUrl: string | null }

/** @throws ConfigError when a faucet is named where money could be real, or where no page would use it */
export function decideWeb(raw: RawSettings, networks: readonly string[]): WebSettings | null {
  const dir = raw.text('SVC_WEB_DIR')
  const faucet = raw.text('SVC_FAUCET_URL')
  if (faucet !== undefined && dir === undefined) throw new ConfigError('SVC_FAUCET_URL is set and SVC_WEB_DIR is not')
  if (faucet !== undefined && !networks.every((name) => name === 'localnet'))
    throw new ConfigError('SVC_FAUCET_URL is for localnet alone; SVC_NETWORKS names another network')
  return dir === undefined ? null : { dir, faucetUrl: faucet === undefined ? null : plainUrl(faucet) }
}

function plainUrl(text: string): string {
  const url = /^https?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : undefined
  // Every visitor reads it.
  if (url === undefined || url.username !== '' || url.password !== '')
    throw new ConfigError('SVC_FAUCET_URL must be an http or https URL without credentials')
  return text.replace(/\/+$/, '')
}
