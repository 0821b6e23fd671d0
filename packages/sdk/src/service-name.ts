import { ChallengeMismatch } from './challenge-mismatch.ts'
import type { OperationsClient } from './client.ts'

/**
 * The name that keys sign for this service: its own, which on one machine may be another than the one that it is
 * reached by. A service that claims the name of another is not believed, for what is signed would be good there.
 *
 * @throws ChallengeMismatch where its name is another's; a caller who knows it passes `service` instead
 */
export async function serviceName(client: Pick<OperationsClient, 'service' | 'transport'>): Promise<string> {
  const reached = new URL(client.transport.baseUrl)
  const { service_url: said }: { readonly service_url?: unknown } = await client.service.config()
  // A service of before this field goes by the name it is reached by.
  if (said === undefined) return reached.host
  const own = typeof said === 'string' && URL.canParse(said) ? new URL(said) : undefined
  if (own === undefined || !isSamePlace(own, reached)) throw new ChallengeMismatch('service', reached.host, said)
  return own.host
}

const isSamePlace = (one: URL, other: URL): boolean =>
  one.host === other.host || (isThisMachine(one) && isThisMachine(other) && one.port === other.port)

const isThisMachine = ({ hostname }: URL): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
