import fc from 'fast-check'

/** A run is repeated over the same few values: what kills a mutant today kills it tomorrow, and soon. */
fc.configureGlobal({ seed: 17, numRuns: 30 })
