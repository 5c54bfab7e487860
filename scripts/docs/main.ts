import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SITE, stageEntries, stagePages, stageSidebar } from './stage-site.ts'

// npm run docs builds the site into docs/site/dist; npm run docs:dev serves it. Pages are read when
// it starts: start it again after a change.

function run(program: string, ...words: string[]): void {
  execFileSync(join(SITE, 'node_modules/.bin', program), words, { cwd: SITE, stdio: 'inherit' })
}

const [action = 'build', ...others] = process.argv.slice(2)
if (!existsSync(join(SITE, 'node_modules/vitepress')))
  execFileSync('npm', ['ci', '--ignore-scripts', '--silent', '--prefix', SITE], {
    stdio: 'inherit',
  })
const pages = await stagePages()
stageEntries()
run('typedoc', '--options', 'typedoc.json')
stageSidebar(pages)
console.log(`${pages.length} pages, beside the reference of the TypeScript API`)
run('vitepress', action, ...others)
