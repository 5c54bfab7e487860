// Plain JavaScript on purpose: an old Node cannot run the .ts scripts, so they could not report the problem.
if (!process.features.typescript) {
  console.error(`Surehand needs Node 22.18 or newer to run its TypeScript; this is Node ${process.versions.node}.
On Linux (x64, arm64) "npm ci" brings Node 24 along, unless optional packages are left out. Elsewhere, install Node 24 first.`)
  process.exit(1)
}
