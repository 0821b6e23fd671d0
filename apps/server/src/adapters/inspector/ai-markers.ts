/** Words of the IPTC digital source vocabulary for pixels that no camera saw, as they stand in XMP and C2PA. */
const sourceTypes = ['compositeWithTrainedAlgorithmicMedia', 'trainedAlgorithmicMedia', 'algorithmicMedia'] as const

/** What generators write of themselves. Only metadata is searched: pixels contain every short word by chance. */
const generators: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['midjourney', /midjourney/i],
  ['dall-e', /dall[\s·.-]?e(?:[\s-]?[23])?\b/i],
  ['openai', /\b(?:openai|chatgpt|gpt-image|sora)\b/i],
  ['stable-diffusion', /stable[\s_-]?diffusion|\bsd-metadata\b|\bsdxl\b|negative prompt:|steps: \d+, sampler:/i],
  ['comfyui', /comfyui|"class_type"\s*:/i],
  ['invokeai', /invoke-?ai/i],
  ['flux', /\bflux[.\s_-]?(?:1|2|dev|pro|schnell|kontext)\b|black forest labs/i],
  ['firefly', /adobe[\s_]?firefly|\bfirefly\b/i],
  ['imagen', /\bgoogle (?:imagen|ai)\b|\bimagen[\s-]?[234]?\b|made with google ai|\bnano banana\b/i],
  ['ideogram', /\bideogram\b/i],
  ['leonardo', /\bleonardo\.?ai\b/i],
  ['novelai', /\bnovelai\b/i],
]

/** `source:` and `generator:` names, sorted; empty says nothing about the picture. */
export function aiMarkers(texts: readonly string[]): string[] {
  const found = new Set<string>()
  for (const text of texts) {
    let rest = text
    for (const word of sourceTypes) {
      if (!rest.includes(word)) continue
      found.add(`source:${word}`)
      rest = rest.replaceAll(word, '') // each longer word contains a shorter one
    }
    for (const [name, pattern] of generators) if (pattern.test(text)) found.add(`generator:${name}`)
  }
  return [...found].sort()
}
