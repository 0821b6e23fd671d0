import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** What a link proves: that this service made it, for one file, one purpose and a short time. */
export type LinkClaims = { readonly key: string; readonly contentType: string; readonly expires: number }
export type LinkProof = { readonly expires: string; readonly signature: string }

export type LinkSigner = {
  sign(claims: LinkClaims): string
  /** Whether the proof belongs to the key and type, and its time is not over. `now` is unix seconds. */
  isValid(claims: Omit<LinkClaims, 'expires'>, proof: LinkProof, now: number): boolean
}

/** One key a purpose, derived from the service's secret: a link to read is none to write. */
export function createLinkSigner(secret: string, purpose: 'upload' | 'download' | 'preview'): LinkSigner {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `evidence ${purpose} link`, 32))
  const digest = ({ key: file, contentType, expires }: LinkClaims): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([file, contentType, expires]))
      .digest()
  return {
    sign: (claims) => digest(claims).toString('base64url'),
    isValid(claims, proof, now) {
      if (!/^[0-9]{1,12}$/.test(proof.expires) || !/^[A-Za-z0-9_-]{43}$/.test(proof.signature)) return false
      const expires = Number(proof.expires)
      // Texts, not bytes: four texts of 43 characters decode to the same 32 bytes, and one of them is ours.
      const own = digest({ ...claims, expires }).toString('base64url')
      return timingSafeEqual(Buffer.from(own), Buffer.from(proof.signature)) && expires > now
    },
  }
}
