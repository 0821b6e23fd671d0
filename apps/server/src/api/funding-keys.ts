import { privateKeySigner, type Address, type Hex, type Signer } from '@ergon/protocols'
import { keyFor } from '../surroundings/key-for.ts'

/** A key that signs statements about funding in one quarter of a year. */
export type FundingKey = { readonly address: Address; readonly from: Date; readonly until: Date }

/** Who signs statements about funding: nothing is stored, so every process of a deployment has the same keys. */
export type FundingKeys = {
  signer(now: Date): Signer
  /** The last, the one of now, and the next, which is shown before it signs. */
  published(now: Date): readonly FundingKey[]
}

/** A key each quarter, out of the deployment's secret (decision 0173). */
export function createFundingKeys(secret: string): FundingKeys {
  const signerOf = (from: Date): Signer =>
    privateKeySigner(hexOf(keyFor(secret, `funding statements from ${from.toISOString().slice(0, 10)}`)))
  return {
    signer: (now) => signerOf(quarter(now, 0)),
    published: (now) =>
      [-1, 0, 1].map((step) => {
        const from = quarter(now, step)
        return { address: signerOf(from).address, from, until: quarter(now, step + 1) }
      }),
  }
}

function quarter(now: Date, step: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), (Math.floor(now.getUTCMonth() / 3) + step) * 3, 1))
}

const hexOf = (key: Uint8Array): Hex => `0x${Buffer.from(key).toString('hex')}`
