; The installer for Windows, for Inno Setup 6.3 or newer, which is called with the version and, where there is one, the
; repository's address:  iscc /DVERSION=0.1.0 /DREPOSITORY=... packaging\windows\unified-explorer.iss
; It packs dist\unified-explorer (packaging\freeze.py). Never made and never run: notes.md.
#define ID "io.github.unified_explorer.UnifiedExplorer"
#ifndef VERSION
  #error Call it with /DVERSION=...
#endif
#ifndef REPOSITORY
  #define REPOSITORY ""
#endif

[Setup]
; Made once and kept: by it a newer version finds the older one.
AppId={{6E0B2C41-5D0E-4C3B-9B0A-7D7C1F7A52E4}
AppName=Unified Explorer
AppVersion={#VERSION}
VersionInfoVersion={#VERSION}
AppPublisher=Unified Explorer contributors
#if REPOSITORY != ""
AppPublisherURL={#REPOSITORY}
AppSupportURL={#REPOSITORY}/issues
#endif
SourceDir=..\..
OutputDir=dist
OutputBaseFilename=unified-explorer-{#VERSION}-windows-x64-setup
SetupIconFile=build\unified-explorer.ico
UninstallDisplayIcon={app}\unified-explorer-gui.exe
LicenseFile=LICENSE
; For the user alone, without an administrator; who is one may choose all users.
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
DefaultDirName={autopf}\Unified Explorer
DisableProgramGroupPage=yes
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
ChangesEnvironment=yes
CloseApplications=yes
Compression=lzma2
SolidCompression=yes
; Where signing goes: give iscc "/Ssign=signtool sign /fd sha256 /tr TIMESTAMP /td sha256 /n NAME $f" and /DSIGN
#ifdef SIGN
SignTool=sign
SignedUninstaller=yes
#endif

[Files]
Source: "dist\unified-explorer\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[InstallDelete]
; What an older version had and this one has not.
Type: filesandordirs; Name: "{app}\lib"

[Icons]
Name: "{autoprograms}\Unified Explorer"; Filename: "{app}\unified-explorer-gui.exe"; AppUserModelID: "{#ID}"

[Tasks]
Name: path; Description: "Add the command &unified-explorer to PATH"

[Registry]
Root: HKA; Subkey: "{code:EnvironmentKey}"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}"; \
  Tasks: path; Check: NotInPath

[Run]
Filename: "{app}\unified-explorer-gui.exe"; Description: "Start Unified Explorer"; Flags: nowait postinstall skipifsilent

[Code]
function EnvironmentKey(Unused: String): String;
begin
  if IsAdminInstallMode then
    Result := 'SYSTEM\CurrentControlSet\Control\Session Manager\Environment'
  else
    Result := 'Environment';
end;

function PathOf(var Path: String): Boolean;
begin
  Result := RegQueryStringValue(HKA, EnvironmentKey(''), 'Path', Path);
end;

function NotInPath: Boolean;
var
  Path: String;
begin
  Result := not PathOf(Path) or (Pos(';' + Uppercase(ExpandConstant('{app}')) + ';', ';' + Uppercase(Path) + ';') = 0);
end;

procedure CurUninstallStepChanged(Step: TUninstallStep);
var
  Path: String;
  At: Integer;
  Folder: String;
begin
  if (Step <> usPostUninstall) or not PathOf(Path) then
    exit;
  Folder := ';' + ExpandConstant('{app}');
  At := Pos(Uppercase(Folder) + ';', Uppercase(Path) + ';');
  if At > 0 then begin
    Delete(Path, At, Length(Folder));
    RegWriteExpandStringValue(HKA, EnvironmentKey(''), 'Path', Path);
  end;
end;
