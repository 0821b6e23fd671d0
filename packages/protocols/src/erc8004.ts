import { lowerAddress, utf8, type Address, type Hex } from './bytes.ts'
import { caip10, caip2 } from './caip.ts'
import { toChecksumAddress } from './checksum.ts'
import type { TypedData } from './eip712.ts'
import { keccak256Hex } from './keccak.ts'
import { ProtocolError } from './protocol-error.ts'

/** The consent of a wallet to stand for an agent. */
export type AgentWalletSet = {
  readonly agentId: bigint
  readonly newWallet: Address
  readonly owner: Address
  readonly deadline: number
}

/** The document the new wallet signs; the registry allows deadlines up to five minutes ahead. */
export function agentWalletSetTypedData(message: AgentWalletSet, chainId: number, registry: Address): TypedData {
  return {
    domain: { name: 'ERC8004IdentityRegistry', version: '1', chainId, verifyingContract: lowerAddress(registry) },
    types: {
      AgentWalletSet: [
        { name: 'agentId', type: 'uint256' },
        { name: 'newWallet', type: 'address' },
        { name: 'owner', type: 'address' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'AgentWalletSet',
    message: {
      agentId: message.agentId.toString(),
      newWallet: lowerAddress(message.newWallet),
      owner: lowerAddress(message.owner),
      deadline: message.deadline.toString(),
    },
  }
}

/** How a registry is named in documents: the chain and the checksummed contract. */
export function agentRegistryId(chainId: number, registry: Address): string {
  return `${caip2(chainId)}:${toChecksumAddress(registry)}`
}

/** An agent's own description, to which its agentURI leads. */
export type RegistrationFields = {
  readonly name: string
  readonly description: string
  readonly image?: string
  readonly services?: readonly { readonly name: string; readonly endpoint: string; readonly version?: string }[]
  readonly x402Support?: boolean
  readonly active?: boolean
  readonly registrations?: readonly { readonly agentId: number; readonly chainId: number; readonly registry: Address }[]
  readonly supportedTrust?: readonly string[]
}

/** The registration file of ERC-8004 for an agent. */
export function registrationFile(fields: RegistrationFields) {
  return {
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    name: fields.name,
    description: fields.description,
    ...(fields.image === undefined ? {} : { image: fields.image }),
    services: fields.services ?? [],
    x402Support: fields.x402Support ?? false,
    active: fields.active ?? true,
    registrations: (fields.registrations ?? []).map(({ agentId, chainId, registry }) => ({
      agentId,
      agentRegistry: agentRegistryId(chainId, registry),
    })),
    supportedTrust: fields.supportedTrust ?? ['reputation'],
  }
}

/** What a feedback document says; `extra` adds members of the service's own. */
export type FeedbackFields = {
  readonly chainId: number
  readonly registry: Address
  readonly agentId: bigint
  readonly client: Address
  /** RFC 3339. */
  readonly createdAt: string
  readonly value: number
  readonly valueDecimals: number
  readonly tag1?: string
  readonly tag2?: string
  readonly endpoint?: string
  readonly proofOfPayment?: { readonly fromAddress: Address; readonly toAddress: Address; readonly txHash: Hex }
  readonly extra?: Readonly<Record<string, unknown>>
}

/** The bytes of a feedback document, keys sorted and without blanks, and their keccak: the feedbackHash. */
export function feedbackDocument(fields: FeedbackFields): { readonly bytes: Uint8Array; readonly hash: Hex } {
  const { chainId, proofOfPayment, tag1, tag2, endpoint } = fields
  const document = {
    ...fields.extra,
    agentRegistry: agentRegistryId(chainId, fields.registry),
    agentId: Number(fields.agentId),
    clientAddress: caip10(chainId, fields.client),
    createdAt: fields.createdAt,
    value: fields.value,
    valueDecimals: fields.valueDecimals,
    ...(tag1 === undefined ? {} : { tag1 }),
    ...(tag2 === undefined ? {} : { tag2 }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(proofOfPayment === undefined ? {} : { proofOfPayment: { ...proofOfPayment, chainId: String(chainId) } }),
  }
  const bytes = utf8(canonicalJson(document))
  return { bytes, hash: keccak256Hex(bytes) }
}

/** JSON with sorted keys and no blanks: one text for one value. Throws ProtocolError for what JSON cannot hold. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    members.sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`
  }
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new ProtocolError('malformed', 'JSON holds finite numbers only')
  // A bigint makes JSON.stringify throw; undefined and functions answer undefined.
  const text: string | undefined = typeof value === 'bigint' ? undefined : JSON.stringify(value)
  if (text === undefined) throw new ProtocolError('malformed', `JSON cannot hold a ${typeof value}`)
  return text
}
