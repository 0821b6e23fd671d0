/** One step on the way to a part of a page. A text with `flags` is a regular expression. */
export type Step =
  | { readonly by: 'role'; readonly role: string; readonly name?: Sought; readonly level?: number }
  | { readonly by: 'label'; readonly text: Sought }
  | { readonly by: 'text'; readonly text: Sought }
  | { readonly by: 'holds'; readonly text: Sought }
  | { readonly by: 'place'; readonly at: number }
export type Sought = { readonly text: string; readonly exact: boolean; readonly flags?: string }

/**
 * Runs in the page, and so can see nothing of this file: the elements that the steps lead to, by what a person sees and
 * an assistive technology reads.
 */
export function findParts(steps: readonly Step[]): readonly Element[] {
  const tagsOf: Readonly<Record<string, string>> = {
    button: 'button, summary, input[type=submit]',
    dialog: 'dialog[open]',
    group: 'fieldset, details',
    heading: 'h1, h2, h3, h4, h5, h6',
    img: 'img, svg',
    link: 'a[href]',
    listitem: 'li',
    main: 'main',
    radio: 'input[type=radio]',
    checkbox: 'input[type=checkbox]',
    region: 'section[aria-label], section[aria-labelledby]',
    status: 'output',
    term: 'dt',
  }
  const tidy = (text: string | null): string => (text ?? '').replaceAll(/\s+/g, ' ').trim()
  const fits = ({ text, exact, flags }: Sought, found: string): boolean => {
    if (flags !== undefined) return new RegExp(text, flags).test(found)
    return exact ? found === tidy(text) : found.toLowerCase().includes(tidy(text).toLowerCase())
  }
  const isShown = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true }) && element.closest('[aria-hidden=true]') === null
  const spoken = (node: Node): string => {
    if (!(node instanceof Element)) return node instanceof Text ? node.data : ''
    if (node.getAttribute('aria-hidden') === 'true' || !node.checkVisibility()) return ''
    const own = node.getAttribute('aria-label') ?? node.getAttribute('alt')
    const text = own ?? [...node.childNodes].map((child) => spoken(child)).join('')
    return getComputedStyle(node).display === 'inline' ? text : ` ${text} `
  }
  const labelsOf = (element: Element): readonly string[] => {
    const ids = element.getAttribute('aria-labelledby')?.split(/\s+/) ?? []
    const named = ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
    const own = element.getAttribute('aria-label')
    const labels = 'labels' in element ? [...((element.labels as NodeListOf<Element> | null) ?? [])] : []
    return [named, own ?? '', ...labels.map((label) => label.textContent)].map((text) => tidy(text)).filter(Boolean)
  }
  const nameOf = (element: Element): string => labelsOf(element)[0] ?? tidy(spoken(element))
  const hasRole = (element: Element, role: string, level?: number): boolean =>
    (element.getAttribute('role') ?? (element.matches(tagsOf[role] ?? '#none') ? role : '')) === role &&
    (level === undefined || element.tagName === `H${String(level)}`)
  const isSmallest = (element: Element, text: Sought): boolean =>
    !element.matches('script, style, head, head *') &&
    fits(text, tidy(element.textContent)) &&
    ![...element.children].some((child) => fits(text, tidy(child.textContent)))
  const take = (from: readonly Element[], step: Step): readonly Element[] => {
    if (step.by === 'place') return from.slice(step.at, step.at === -1 ? undefined : step.at + 1)
    if (step.by === 'holds') return from.filter((element) => fits(step.text, tidy(element.textContent)))
    const below = [...new Set(from.flatMap((element) => [...element.querySelectorAll('*')]))]
    if (step.by === 'label') return below.filter((one) => labelsOf(one).some((label) => fits(step.text, label)))
    if (step.by === 'text') return below.filter((element) => isSmallest(element, step.text))
    return below.filter(
      (one) =>
        hasRole(one, step.role, step.level) &&
        isShown(one) &&
        (step.name === undefined || fits(step.name, nameOf(one))),
    )
  }
  return steps.reduce<readonly Element[]>((from, step) => take(from, step), [document.documentElement])
}
