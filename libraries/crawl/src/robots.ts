import robotsParser from 'robots-parser'

/** What a site allows crawlers to read. */
export type Robots = {
  readonly isAllowed: (url: string) => boolean
  readonly crawlDelayMs: number | undefined
  /** The sitemaps that robots.txt names, as they are written there. */
  readonly sitemaps: readonly string[]
}

// The library's types describe an ES module; it is a CommonJS one, whose export is the function.
const parseRobots = robotsParser as unknown as typeof robotsParser.default

/** RFC 9309 asks for at least this much of a robots.txt. */
export const MAX_ROBOTS_BYTES = 500 * 1024
// The library's matcher needs time for every character of a pattern with a wildcard at every place
// of the path. These limits are far above what sites use, and keep a hostile file from blocking the
// process.
const MAX_WILDCARD_RULES = 300
const MAX_WILDCARDS_PER_RULE = 8
const MAX_PATTERN_LENGTH = 300

/**
 * Reads a robots.txt as RFC 9309 describes it.
 *
 * @example
 * const robots = readRobots('https://example.com', 'User-agent: *\nDisallow: /private', 'SurehandBot')
 * robots.isAllowed('https://example.com/private/page') // false
 */
export function readRobots(origin: string, text: string, userAgent: string): Robots {
  const robotsUrl = `${origin}/robots.txt`
  const parsed = parseRobots(robotsUrl, limitRules(text.replace(/^\uFEFF/, '')))
  const delay = parsed.getCrawlDelay(userAgent)
  return {
    // RFC 9309: robots.txt itself is always allowed. The library answers undefined both for another
    // origin and for a URL that no rule matches.
    isAllowed: (url) =>
      url === robotsUrl || (isInOrigin(url, origin) && parsed.isAllowed(url, userAgent) !== false),
    crawlDelayMs: delay === undefined || delay < 0 ? undefined : delay * 1000,
    sitemaps: parsed.getSitemaps(),
  }
}

/** For a site whose robots.txt does not exist (any status 4xx): everything is allowed. */
export function allowAll(origin: string): Robots {
  return {
    isAllowed: (url) => isInOrigin(url, origin),
    crawlDelayMs: undefined,
    sitemaps: [],
  }
}

/** For a site whose robots.txt cannot be read now (a status 5xx, no connection). */
export function allowNothing(): Robots {
  return { isAllowed: () => false, crawlDelayMs: undefined, sitemaps: [] }
}

function isInOrigin(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin
}

const RULE = /^(\s*(?:dis)?allow\s*:\s*)([^#\r\n]*)/i

// Beyond the limits a rule that forbids is cut before its wildcard, so that it forbids more, and a
// rule that allows is dropped.
function limitRules(text: string): string {
  let wildcardRules = 0
  const lines = text.slice(0, MAX_ROBOTS_BYTES).split(/\r\n|\r|\n/)
  return lines
    .map((line) => {
      const [, name = '', pattern = ''] = RULE.exec(line) ?? []
      if (!pattern.includes('*')) return line
      wildcardRules++
      const wildcards = pattern.split('*').length - 1
      const isWithinLimits =
        wildcardRules <= MAX_WILDCARD_RULES &&
        wildcards <= MAX_WILDCARDS_PER_RULE &&
        pattern.length <= MAX_PATTERN_LENGTH
      if (isWithinLimits) return line
      return /dis/i.test(name) ? `${name}${pattern.slice(0, pattern.indexOf('*'))}` : ''
    })
    .join('\n')
}
