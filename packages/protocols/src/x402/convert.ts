import { networkByCaip2, networkByName } from '../networks.ts'
import { ProtocolError } from '../protocol-error.ts'
import type { PaymentRequirementsV1, PaymentRequirementsV2, ResourceInfo } from './envelope.ts'

/** Version 1 requirements in version 2 words. Throws ProtocolError `unsupported_network` for a name without a row. */
export function toV2Requirements(v1: PaymentRequirementsV1): {
  requirements: PaymentRequirementsV2
  resource: ResourceInfo
} {
  const { maxAmountRequired, resource, description, mimeType, outputSchema: _, ...common } = v1
  const network = networkByName(v1.network)
  if (network === undefined) throw new ProtocolError('unsupported_network', 'the network has no row')
  return {
    requirements: { ...common, network: network.caip2, amount: maxAmountRequired },
    resource: { url: resource, description, mimeType },
  }
}

/** Version 2 requirements in version 1 words. Throws ProtocolError `unsupported_network` for an id without a row. */
export function toV1Requirements(v2: PaymentRequirementsV2, resource: ResourceInfo): PaymentRequirementsV1 {
  const { amount, ...common } = v2
  const network = networkByCaip2(v2.network)
  if (network === undefined) throw new ProtocolError('unsupported_network', 'the network has no row')
  return {
    ...common,
    network: network.name,
    maxAmountRequired: amount,
    resource: resource.url,
    description: resource.description ?? '',
    mimeType: resource.mimeType ?? '',
  }
}
