# Installs footlight for this user on Windows: downloads one archive (or takes one that is here), checks its SHA-256, and moves one
# file into place. It needs no administrator and never edits PATH. The twin of install.sh:
#   irm https://github.com/footlight-dev/footlight/releases/latest/download/install.ps1 | iex
#   & ([scriptblock]::Create((irm <the same address>))) -Version 0.1.0 -Dir D:\tools
[CmdletBinding()]
param(
  [string] $Version = '',
  [string] $Dir = $env:FOOTLIGHT_INSTALL_DIR,
  [string] $FromArchive = '',
  [string] $Checksums = '',
  [switch] $Uninstall,
  [switch] $DryRun,
  [switch] $Quiet,
  [switch] $NoModifyPath
)

function Install-Footlight {
  param($Version, $Dir, $FromArchive, $Checksums, [bool] $Uninstall, [bool] $DryRun, [bool] $Quiet, [bool] $TellPath)
  Set-StrictMode -Version 2
  $ErrorActionPreference = 'Stop'
  # The progress bar of Windows PowerShell 5 makes a download many times slower.
  $ProgressPreference = 'SilentlyContinue'
  [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

  $repository = 'https://github.com/footlight-dev/footlight'
  function Say([string] $Text) { if (-not $Quiet) { Write-Host $Text } }
  function Fail([string] $Text) { throw "footlight install: $Text" }

  if (-not $Dir) { $Dir = Join-Path $env:LOCALAPPDATA 'Programs\footlight' }
  $Dir = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($Dir)
  $program = Join-Path $Dir 'footlight.exe'

  if ($Uninstall) {
    if (-not (Test-Path -LiteralPath $program -PathType Leaf)) { Say "there is no $program; nothing to remove"; return }
    if ($DryRun) { Say "would remove $program"; return }
    Remove-Item -LiteralPath $program -Force
    Say "removed $program"
    return
  }

  # There is one executable for Windows, x64; Windows 11 on arm64 runs it too.
  $platform = 'windows-x64'
  $Version = $Version -replace '^v', ''
  if ($Version -and $Version -notmatch '^[0-9]+\.[0-9][0-9A-Za-z.+-]*$') { Fail "-Version: expected a number like 0.1.0, received $Version" }

  $base = if ($env:FOOTLIGHT_DOWNLOAD_URL) { $env:FOOTLIGHT_DOWNLOAD_URL.TrimEnd('/') } else { '' }
  $latest = "$base/latest/VERSION"
  if (-not $base) {
    $base = "$repository/releases/download"
    $latest = "$repository/releases/latest/download/VERSION"
  } else {
    # Not every program reads a URL with one of these characters alike.
    $source = $null
    $known = $base -notmatch '[\\?#\s\x00-\x1f]' -and $base -match '^https?://' -and [uri]::TryCreate($base, [UriKind]::Absolute, [ref] $source)
    if (-not $known) { Fail "FOOTLIGHT_DOWNLOAD_URL: expected https://..., received $base" }
    $loopback = -not $source.UserInfo -and @('127.0.0.1', 'localhost', '[::1]') -contains $source.Host
    if ($source.Scheme -ne 'https' -and -not $loopback -and -not $Checksums) { Fail "$base is plain http, where anyone on the way can change a file and its sum; use https, or -Checksums with a file from elsewhere" }
  }

  $work = Join-Path ([IO.Path]::GetTempPath()) ('footlight-install-' + [guid]::NewGuid())
  New-Item -ItemType Directory -Path $work | Out-Null
  try {
    if ($FromArchive) {
      $archive = (Resolve-Path -LiteralPath $FromArchive).ProviderPath
      $name = Split-Path -Leaf $archive
      if ($name -notlike "*-$platform.zip") { Fail "$name is not for this machine, which needs footlight-v<version>-$platform.zip" }
      $sums = if ($Checksums) { $Checksums } else { Join-Path (Split-Path -Parent $archive) 'SHA256SUMS' }
      if (-not (Test-Path -LiteralPath $sums -PathType Leaf)) { Fail "there is no $sums to check $name against; put SHA256SUMS of the release beside it, or name it with -Checksums" }
    } else {
      if (-not $Version) {
        $file = Join-Path $work 'VERSION'
        Invoke-WebRequest -UseBasicParsing -Uri $latest -OutFile $file
        $Version = (Get-Content -LiteralPath $file -TotalCount 1).Trim()
      }
      $name = "footlight-v$Version-$platform.zip"
      if ($DryRun) { Say "would download $base/v$Version/$name, check it and install $program"; return }
      $sums = $Checksums
      if (-not $sums) {
        $sums = Join-Path $work 'SHA256SUMS'
        Invoke-WebRequest -UseBasicParsing -Uri "$base/v$Version/SHA256SUMS" -OutFile $sums
      }
      $archive = Join-Path $work $name
      Say "downloading $base/v$Version/$name"
      Invoke-WebRequest -UseBasicParsing -Uri "$base/v$Version/$name" -OutFile $archive
    }

    $listed = @(Get-Content -LiteralPath $sums | Where-Object { ($_ -split '\s+', 2)[-1].TrimStart('*') -eq $name })
    if ($listed.Count -eq 0) { Fail "$sums does not list $name, so it cannot be checked; nothing was installed" }
    $expected = ($listed[0] -split '\s+', 2)[0]
    $actual = (Get-FileHash -LiteralPath $archive -Algorithm SHA256).Hash
    if ($actual -ne $expected) { Fail "$name has the SHA-256 $actual, but $expected is listed; it is broken or not ours: nothing was installed" }
    if ($DryRun) { Say "would install $name as $program"; return }

    $unpacked = Join-Path $work 'unpacked'
    Expand-Archive -LiteralPath $archive -DestinationPath $unpacked
    $new = Join-Path $unpacked 'footlight.exe'
    if (-not (Test-Path -LiteralPath $new -PathType Leaf)) { Fail "$name holds no footlight.exe" }
    $runs = & $new --version
    if ($LASTEXITCODE -ne 0) { Fail 'the executable does not start here; it needs Windows 10 (1809) or later. Nothing was installed' }
    if ($Version -and $runs -ne $Version) { Fail "$name says it is version $runs, not $Version; nothing was installed" }

    New-Item -ItemType Directory -Path $Dir -Force | Out-Null
    if (Test-Path -LiteralPath $program -PathType Leaf) {
      if ((Get-FileHash -LiteralPath $program).Hash -eq (Get-FileHash -LiteralPath $new).Hash) {
        Say "footlight $runs is in $Dir already, byte for byte; nothing to do"
        return
      }
      # A program that runs cannot be overwritten, but it can be renamed.
      $old = "$program.old"
      Remove-Item -LiteralPath $old -Force -ErrorAction SilentlyContinue
      Move-Item -LiteralPath $program -Destination $old -Force
      try { Move-Item -LiteralPath $new -Destination $program }
      catch { Move-Item -LiteralPath $old -Destination $program; throw }
      Remove-Item -LiteralPath $old -Force -ErrorAction SilentlyContinue
    } else {
      Move-Item -LiteralPath $new -Destination $program
    }
    Say "footlight $runs is installed: $program"
    if ($TellPath -and ($env:PATH -split ';') -notcontains $Dir) {
      Say "$Dir is not on your PATH. To add it, for new windows:"
      Say "  [Environment]::SetEnvironmentVariable('Path', [Environment]::GetEnvironmentVariable('Path', 'User') + ';$Dir', 'User')"
    }
    Say 'Microsoft Edge is a browser it can use: footlight --browser msedge. "footlight doctor" tries what is here.'
  } finally {
    Remove-Item -LiteralPath $work -Recurse -Force -ErrorAction SilentlyContinue
  }
}

# On the last line, so that a download of this script that breaks off does nothing.
Install-Footlight $Version $Dir $FromArchive $Checksums $Uninstall.IsPresent $DryRun.IsPresent $Quiet.IsPresent (-not $NoModifyPath.IsPresent)
