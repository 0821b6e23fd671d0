/** What the deployment tells the app in its page. */
export type AppSettings = {
  /** Where test money comes from; only on a local chain. */
  readonly faucetUrl: string | null
  /** The one name under which the service knows itself; the page may be open under another. */
  readonly serviceUrl: string | null
  /** Where pages may act with a session, separated by blanks; null where the service does not tell. */
  readonly sessionOrigins: string | null
  /** Pages of the operator; the place to buy the token may hold `{address}`. */
  readonly termsUrl: string | null
  readonly privacyUrl: string | null
  readonly helpUrl: string | null
  readonly onRampUrl: string | null
}

/** Reads the settings that the service wrote into the page. */
export function readSettings(page: Document): AppSettings {
  const said: unknown = JSON.parse(page.querySelector('meta[name="ergon-settings"]')?.getAttribute('content') || '{}')
  const field = (name: string): string | null => {
    const value: unknown = typeof said === 'object' && said !== null ? Reflect.get(said, name) : undefined
    return typeof value === 'string' && value !== '' ? value : null
  }
  return {
    faucetUrl: field('faucet_url'),
    serviceUrl: field('service_url'),
    sessionOrigins: field('session_origins'),
    termsUrl: field('terms_url'),
    privacyUrl: field('privacy_url'),
    helpUrl: field('help_url'),
    onRampUrl: field('on_ramp_url'),
  }
}
