/** What is typed of an offer until it is signed. */
export type OfferDraft = { readonly share: string }
export const noOffer: OfferDraft = { share: '' }

export const offerDraft = (taskId: string): string => `offer.${taskId}`
