/** What is refused before any cryptography: a stranger's header costs no more than this. */
export const limits = {
  signatureInputChars: 4096,
  signatureChars: 8192,
  components: 32,
  parameters: 16,
  members: 8,
  candidates: 3,
  nonceChars: 128,
} as const
