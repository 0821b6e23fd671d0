import { isLoopback } from '@ergon/protocols'

export type SecureAddress = {
  readonly href: string
  /** It is one of the computer that runs the service, and of no other. */
  readonly isLocal: boolean
}

/** Where the screen that is open here can be opened safely, as far as the service says. */
export function secureAddress(
  serviceUrl: string | null,
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
): SecureAddress | undefined {
  if (serviceUrl === null) return undefined
  const url = new URL(serviceUrl)
  const isLocal = isLoopback(url.hostname)
  return url.protocol === 'https:' || isLocal ? { href: `${url.origin}${pathname}${search}`, isLocal } : undefined
}
