import { createLinkSigner, type LinkProof } from './adapters/storage/upload-link.ts'
import type { PictureLinks } from './api/present/portfolio.ts'

const linkSec = 900

export type PortfolioLinks = PictureLinks & {
  /** Whether a link to a picture that is not public is one of ours, and its time is not over. */
  isProven(pieceId: string, name: string, proof: LinkProof, now: Date): boolean
}

/** Where pictures of work are; what is not public yet is reached by links that carry their own proof and end. */
export function createPortfolioLinks(secret: string): PortfolioLinks {
  const signer = createLinkSigner(secret, 'preview')
  const path = (pieceId: string, name: string): string => `/portfolio/${pieceId}/${name}.jpg`
  return {
    shown: path,
    preview(pieceId, name, now) {
      const [key, expires] = [path(pieceId, name), unix(now) + linkSec]
      const signature = signer.sign({ key, contentType: 'image/jpeg', expires })
      return `${key}?expires=${String(expires)}&signature=${signature}`
    },
    isProven: (pieceId, name, proof, now) =>
      signer.isValid({ key: path(pieceId, name), contentType: 'image/jpeg' }, proof, unix(now)),
  }
}

const unix = (at: Date): number => Math.floor(at.getTime() / 1_000)
