import { randomBytes } from 'node:crypto'
import { mintTestUsd } from '@ergon/contracts'
import { bytesToHex, generatePrivateKey, privateKeySigner, type Address, type Hex, type Signer } from '@ergon/protocols'
import { rpc } from '../adapters/rig.ts'
import { send } from '../dispatch/send.ts'
import { signed } from '../dispatch/tiny-service.ts'
import type { Party } from './live-market.ts'

/**
 * The code of a wallet that is a contract: `isValidSignature` recovers the owner from r, s and v in words of their own
 * (ERC-1271); every other call answers its own selector, as a receiver of tokens does (ERC-721).
 */
export function walletCode(owner: Address): Hex {
  const answer = '600035' + '60e01c' + '80' + '631626ba7e' + '14' + '601b' + '57' + '60e01b' + '600052' + '60206000f3'
  const words = '600435600052' + '60a435602052' + '606435604052' + '608435606052'
  const recovered = '6020608060806000' + '6001' + '5a' + 'fa' + '50' + '608051'
  return `0x${answer}5b50${words}${recovered}73${owner.slice(2)}14631626ba7e60e01b0260005260206000f3`
}

/** A signer whose signatures are those of a contract: 96 bytes, and no key recovers to its address. */
export function contractSigner(address: Address, owner: Signer): Signer {
  const wrapped = (signature: Hex): Hex => `0x${signature.slice(2, 130)}${signature.slice(130).padStart(64, '0')}`
  return {
    address,
    signMessage: async (message) => wrapped(await owner.signMessage(message)),
    signTypedData: async (document) => wrapped(await owner.signTypedData(document)),
  }
}

/** Where a contract wallet lives, and the service that it speaks to; `chainId` is what its keyids name. */
export type ContractPlace = { readonly url: string; readonly rpcUrl: string; readonly chainId?: number }

/**
 * A wallet that is a contract on the chain behind `rpcUrl`, with this many dollars, and speaks to the service at `url`.
 */
export async function contractParty(
  at: ContractPlace,
  dollars: bigint,
  address: Address = bytesToHex(randomBytes(20)),
): Promise<Party> {
  const chainId = at.chainId ?? 31_337
  const key = generatePrivateKey()
  const owner = privateKeySigner(key)
  await rpc(at.rpcUrl, 'anvil_setCode', [address, walletCode(owner.address)])
  if (dollars > 0n) await mintTestUsd(at.rpcUrl, address, dollars * 1_000_000n)
  const signer = contractSigner(address, owner)
  return {
    key,
    signer,
    wallet: address,
    chainId,
    async call(method, target, body, headers = {}) {
      const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
      const all = await signed(method, target, text, {
        signer,
        chainId,
        headers,
        nonce: randomBytes(12).toString('hex'),
      })
      return send(at.url, method, target, all, text)
    },
  }
}
