; The Windows installer, for one user and without administrator rights. scripts/windows-package.sh builds it:
;
;   makensis -DVERSION=0.3.0 -DFILES=FOLDER -DICON=FILE.ico -DOUTPUT=FILE.exe rigscope.nsi
;
; Silent use:
;
;   setup.exe /S /D=C:\Tools\Rigscope   installs without questions; /D comes last and without quotation marks
;   setup.exe /S /PATH=no               leaves the PATH variable as it is; /PATH=yes adds the folder
;   uninstall.exe /S                    removes everything this installer wrote
;
; Exit codes: 0 success, 1 cancelled by the user, 2 error, 3 Rigscope is running and has to be closed first.

Target amd64-unicode
SetCompressor /SOLID lzma
; rigscope.exe and fbx_bsm2.exe contain the same libraries, which only a dictionary larger than one of them detects.
SetCompressorDictSize 64

!include MUI2.nsh
!include FileFunc.nsh
!include Integration.nsh
!include LogicLib.nsh
!include Sections.nsh
!include Util.nsh
!include WinVer.nsh

!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Rigscope"
!define CLASSES "Software\Classes"
!define APPLICATION_KEY "${CLASSES}\Applications\rigscope-gui.exe"
!define PROGID "Rigscope.Model"

; Extensions of the formats that Rigscope reads, except .txt and .json, which are rarely models. tests/project/packaging.rs
; writes them.
!macro ForEachExtension ACTION
    !insertmacro ${ACTION} bsm2
    !insertmacro ${ACTION} fbx
    !insertmacro ${ACTION} obj
    !insertmacro ${ACTION} glb
    !insertmacro ${ACTION} gltf
    !insertmacro ${ACTION} ozz
    !insertmacro ${ACTION} skn
    !insertmacro ${ACTION} bmf
    !insertmacro ${ACTION} cmx
    !insertmacro ${ACTION} bcf
    !insertmacro ${ACTION} far
    !insertmacro ${ACTION} bsm
    !insertmacro ${ACTION} iqm
    !insertmacro ${ACTION} usda
    !insertmacro ${ACTION} usdz
    !insertmacro ${ACTION} usdc
!macroend

Name "Rigscope"
OutFile "${OUTPUT}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\Rigscope"
InstallDirRegKey HKCU "${UNINSTALL_KEY}" InstallLocation
BrandingText "Rigscope ${VERSION}"
ManifestDPIAware true
; Makes two builds of the same files identical.
SetDateSave off
; A file that can't be replaced sets the error flag, which CheckErrors reports.
SetOverwrite try

; The part of the version before a hyphen, as four numbers.
!searchparse "${VERSION}-" "" NUMBERS "-"
VIProductVersion "${NUMBERS}.0"
VIAddVersionKey ProductName "Rigscope"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey FileDescription "Rigscope Setup"
VIAddVersionKey LegalCopyright "The authors of Rigscope, MIT or Apache-2.0"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_COMPONENTSPAGE_SMALLDESC
!define MUI_WELCOMEFINISHPAGE_BITMAP "${NSISDIR}/Contrib/Graphics/Wizard/nsis3-metro.bmp"
!define MUI_FINISHPAGE_RUN "$INSTDIR\rigscope-gui.exe"
!define MUI_UNCONFIRMPAGE_TEXT_TOP "Rigscope will be removed from the following folder. Your settings in \
    %APPDATA%\rigscope and the thumbnails in %LOCALAPPDATA%\rigscope are kept; you can delete both folders yourself."
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English

; --- Messages -------------------------------------------------------------------------------------------------------

!macro Fail MESSAGE
    DetailPrint "${MESSAGE}"
    MessageBox MB_OK|MB_ICONSTOP "${MESSAGE}" /SD IDOK
    SetErrorLevel 2
    Abort
!macroend

!macro CheckErrors
    ${If} ${Errors}
        !insertmacro Fail "$INSTDIR: some files can't be written. Check the free space and your permissions, or choose \
            another folder, then install again."
    ${EndIf}
!macroend

; Windows locks the file of a running program.
!macro DefineWaitUntilClosed UN
Function ${UN}WaitUntilClosed
    Exch $0
    Push $1
    ${Do}
        ${IfNot} ${FileExists} "$INSTDIR\$0"
            ${Break}
        ${EndIf}
        ClearErrors
        FileOpen $1 "$INSTDIR\$0" a
        ${IfNot} ${Errors}
            FileClose $1
            ${Break}
        ${EndIf}
        DetailPrint "$INSTDIR\$0 is in use"
        ${If} ${Cmd} `MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$INSTDIR\$0 is in use. Close Rigscope, then choose \
                Retry." /SD IDCANCEL IDCANCEL`
            SetErrorLevel 3
            Abort
        ${EndIf}
    ${Loop}
    ClearErrors
    Pop $1
    Pop $0
FunctionEnd
!macroend
!insertmacro DefineWaitUntilClosed ""
!insertmacro DefineWaitUntilClosed un.

!macro WaitUntilAllClosed UN
    Push rigscope.exe
    Call ${UN}WaitUntilClosed
    Push rigscope-gui.exe
    Call ${UN}WaitUntilClosed
    Push fbx_bsm2.exe
    Call ${UN}WaitUntilClosed
!macroend

; --- PATH -----------------------------------------------------------------------------------------------------------

; The user's PATH can be longer than a string of NSIS (1024 characters), and its type decides whether Windows expands
; %VARIABLES% in it. These functions therefore call Windows directly and keep the type.
!define PATH_LIMIT 2047 ; characters; some dialogs and tools of Windows cut longer values
!define PATH_BYTES 65536 ; more than an environment variable can have
!define KEY_READ_WRITE 0x2001F
!define RRF_TEXT 0x10000006 ; REG_SZ or REG_EXPAND_SZ, not expanded
!define REG_EXPAND_SZ 2
!define ERROR_SUCCESS 0
!define ERROR_FILE_NOT_FOUND 2

; Afterwards: $0 HKEY_CURRENT_USER, $1 the value, $2 its type, $3 ";value;", $4 the address of ";$INSTDIR;" in $3 or 0,
; $5 ";$INSTDIR;", $6 an error of Windows. $1 and $3 are buffers.
!macro ReadPath
    System::Call 'advapi32::RegOpenCurrentUser(i ${KEY_READ_WRITE}, *p .r0) i .r6'
    System::Alloc ${PATH_BYTES}
    Pop $1
    System::Alloc ${PATH_BYTES}
    Pop $3
    StrCpy $4 ${PATH_BYTES}
    System::Call 'advapi32::RegGetValueW(p r0, w "Environment", w "Path", i ${RRF_TEXT}, *i .r2, p r1, *i r4) i .r6'
    ${If} $6 = ${ERROR_FILE_NOT_FOUND}
        StrCpy $2 ${REG_EXPAND_SZ}
        StrCpy $6 ${ERROR_SUCCESS}
    ${EndIf}
    StrCpy $4 ";"
    StrCpy $5 ";$INSTDIR;"
    System::Call 'kernel32::lstrcatW(p r3, w r4)'
    System::Call 'kernel32::lstrcatW(p r3, p r1)'
    System::Call 'kernel32::lstrcatW(p r3, w r4)'
    System::Call 'shlwapi::StrStrIW(p r3, w r5) p .r4'
!macroend

; Writes the value at the address in $1; an empty one is deleted.
!macro WritePath
    System::Call 'kernel32::lstrlenW(p r1) i .r7'
    ${If} $7 = 0
        System::Call 'advapi32::RegDeleteKeyValueW(p r0, w "Environment", w "Path") i .r6'
    ${Else}
        IntOp $7 $7 * 2
        IntOp $7 $7 + 2
        System::Call 'advapi32::RegSetKeyValueW(p r0, w "Environment", w "Path", i r2, p r1, i r7) i .r6'
    ${EndIf}
    SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=5000
!macroend

!macro ClosePath
    System::Free $1
    System::Free $3
    System::Call 'advapi32::RegCloseKey(p r0)'
!macroend

Function AddToPath
    !insertmacro ReadPath
    ${If} $6 <> ${ERROR_SUCCESS}
        DetailPrint "The PATH variable is unchanged: it can't be read (error $6)."
    ${ElseIf} $4 P= 0
        System::Call 'kernel32::lstrlenW(p r1) i .r7'
        StrCpy $5 $INSTDIR
        ${If} $7 > 0
            StrCpy $5 ";$INSTDIR"
        ${EndIf}
        StrLen $8 $5
        IntOp $8 $8 + $7
        ${If} $8 > ${PATH_LIMIT}
            StrCpy $8 "The PATH variable is unchanged: with $INSTDIR it would be $8 characters long, and some programs \
                cut values longer than ${PATH_LIMIT}. Remove unused entries, then install again."
            DetailPrint $8
            MessageBox MB_OK|MB_ICONINFORMATION $8 /SD IDOK
        ${Else}
            System::Call 'kernel32::lstrcatW(p r1, w r5)'
            !insertmacro WritePath
            ${If} $6 = ${ERROR_SUCCESS}
                WriteRegDWORD HKCU "${UNINSTALL_KEY}" AddedToPath 1
            ${Else}
                DetailPrint "The PATH variable is unchanged: it can't be written (error $6)."
            ${EndIf}
        ${EndIf}
    ${EndIf}
    !insertmacro ClosePath
FunctionEnd

; Removes the entry of $INSTDIR if AddToPath wrote it.
!macro DefineRemoveFromPath UN
Function ${UN}RemoveFromPath
    ReadRegDWORD $0 HKCU "${UNINSTALL_KEY}" AddedToPath
    ${If} $0 <> 1
        Return
    ${EndIf}
    !insertmacro ReadPath
    ${If} $6 = ${ERROR_SUCCESS}
    ${AndIf} $4 P<> 0
        ; Joins the text before the entry and the text after it, then removes the semicolons at both ends.
        StrLen $7 $5
        IntOp $7 $7 - 1
        IntOp $7 $7 * 2
        IntPtrOp $7 $4 + $7
        System::Call '*$4(&i2 0)'
        System::Call 'kernel32::lstrcpyW(p r1, p r3)'
        System::Call 'kernel32::lstrcatW(p r1, p r7)'
        System::Call 'kernel32::lstrlenW(p r1) i .r7'
        IntOp $7 $7 - 1
        IntOp $7 $7 * 2
        IntPtrOp $7 $1 + $7
        System::Call '*$7(&i2 0)'
        StrCpy $8 $1
        ${If} $7 P<> $1
            IntPtrOp $1 $1 + 2
        ${EndIf}
        !insertmacro WritePath
        StrCpy $1 $8
    ${EndIf}
    !insertmacro ClosePath
    DeleteRegValue HKCU "${UNINSTALL_KEY}" AddedToPath
FunctionEnd
!macroend
!insertmacro DefineRemoveFromPath ""
!insertmacro DefineRemoveFromPath un.

; --- Installation ---------------------------------------------------------------------------------------------------

; "Open with" offers Rigscope for these extensions. Their default programs stay as they are.
!macro AddExtension EXTENSION
    WriteRegStr HKCU "${APPLICATION_KEY}\SupportedTypes" ".${EXTENSION}" ""
    WriteRegNone HKCU "${CLASSES}\.${EXTENSION}\OpenWithProgids" "${PROGID}"
!macroend

!macro RemoveExtension EXTENSION
    DeleteRegValue HKCU "${CLASSES}\.${EXTENSION}\OpenWithProgids" "${PROGID}"
    DeleteRegKey /ifempty HKCU "${CLASSES}\.${EXTENSION}\OpenWithProgids"
    DeleteRegKey /ifempty HKCU "${CLASSES}\.${EXTENSION}"
!macroend

Section "Rigscope" SECTION_PROGRAM
    SectionIn RO
    !insertmacro WaitUntilAllClosed ""

    ; An installation in another folder is removed first: Windows lists only one.
    ReadRegStr $0 HKCU "${UNINSTALL_KEY}" InstallLocation
    ${If} $0 != ""
    ${AndIf} $0 != $INSTDIR
    ${AndIf} ${FileExists} "$0\uninstall.exe"
        ClearErrors
        ExecWait '"$0\uninstall.exe" /S _?=$0' $1
        ${If} ${Errors}
        ${OrIf} $1 <> 0
            !insertmacro Fail "$0: this installation of Rigscope can't be removed. Close Rigscope, then install again."
        ${EndIf}
        Delete "$0\uninstall.exe"
        RMDir $0
    ${EndIf}

    ClearErrors
    SetOutPath $INSTDIR
    File "${FILES}\fbx_bsm2.exe"
    File "${FILES}\rigscope.exe"
    File "${FILES}\rigscope-gui.exe"
    File "${FILES}\README.md"
    File "${FILES}\CHANGELOG.md"
    File "${FILES}\LICENSE"
    File "${FILES}\LICENSE-MIT"
    File "${FILES}\LICENSE-APACHE"
    WriteUninstaller "$INSTDIR\uninstall.exe"
    !insertmacro CheckErrors

    CreateShortcut "$SMPROGRAMS\Rigscope.lnk" "$INSTDIR\rigscope-gui.exe" "" "" "" "" "" \
        "View, check and convert skinned meshes"

    WriteRegStr HKCU "${APPLICATION_KEY}" FriendlyAppName "Rigscope"
    WriteRegStr HKCU "${APPLICATION_KEY}\shell\open\command" "" '"$INSTDIR\rigscope-gui.exe" "%1"'
    WriteRegStr HKCU "${CLASSES}\${PROGID}" "" "3D model"
    WriteRegStr HKCU "${CLASSES}\${PROGID}\DefaultIcon" "" '"$INSTDIR\rigscope-gui.exe",0'
    WriteRegStr HKCU "${CLASSES}\${PROGID}\shell\open\command" "" '"$INSTDIR\rigscope-gui.exe" "%1"'
    !insertmacro ForEachExtension AddExtension
    ${NotifyShell_AssocChanged}

    WriteRegStr HKCU "${UNINSTALL_KEY}" DisplayName "Rigscope"
    WriteRegStr HKCU "${UNINSTALL_KEY}" DisplayVersion "${VERSION}"
    WriteRegStr HKCU "${UNINSTALL_KEY}" DisplayIcon "$INSTDIR\rigscope-gui.exe"
    WriteRegStr HKCU "${UNINSTALL_KEY}" Publisher "The authors of Rigscope"
    WriteRegStr HKCU "${UNINSTALL_KEY}" InstallLocation $INSTDIR
    WriteRegStr HKCU "${UNINSTALL_KEY}" UninstallString '"$INSTDIR\uninstall.exe"'
    WriteRegStr HKCU "${UNINSTALL_KEY}" QuietUninstallString '"$INSTDIR\uninstall.exe" /S'
    SectionGetSize ${SECTION_PROGRAM} $0 ; KiB
    WriteRegDWORD HKCU "${UNINSTALL_KEY}" EstimatedSize $0
    WriteRegDWORD HKCU "${UNINSTALL_KEY}" NoModify 1
    WriteRegDWORD HKCU "${UNINSTALL_KEY}" NoRepair 1
SectionEnd

Section "Add to PATH" SECTION_PATH
    Call AddToPath
SectionEnd

; Runs last: an upgrade can deselect the entry that an earlier version wrote.
Section "-"
    ${IfNot} ${SectionIsSelected} ${SECTION_PATH}
        Call RemoveFromPath
    ${EndIf}
SectionEnd

!insertmacro MUI_FUNCTION_DESCRIPTION_BEGIN
!insertmacro MUI_DESCRIPTION_TEXT ${SECTION_PROGRAM} "Viewer, command line and fbx_bsm2, with a Start menu entry and \
    entries in Open with"
!insertmacro MUI_DESCRIPTION_TEXT ${SECTION_PATH} "Makes rigscope and fbx_bsm2 available in new terminals"
!insertmacro MUI_FUNCTION_DESCRIPTION_END

Function .onInit
    ${IfNot} ${AtLeastWin10}
        !insertmacro Fail "Rigscope needs Windows 10 or later."
    ${EndIf}
    ; An upgrade repeats the earlier choice; /PATH overrides it.
    ReadRegStr $0 HKCU "${UNINSTALL_KEY}" DisplayVersion
    ReadRegDWORD $1 HKCU "${UNINSTALL_KEY}" AddedToPath
    ${If} $0 != ""
    ${AndIf} $1 <> 1
        !insertmacro UnselectSection ${SECTION_PATH}
    ${EndIf}
    ${GetParameters} $0
    ${GetOptions} $0 "/PATH=" $1
    ${If} $1 == "no"
        !insertmacro UnselectSection ${SECTION_PATH}
    ${ElseIf} $1 == "yes"
        !insertmacro SelectSection ${SECTION_PATH}
    ${EndIf}
FunctionEnd

; --- Removal --------------------------------------------------------------------------------------------------------

; Removes only files and registry values that the installer wrote; the folder remains if it contains other files.
; Settings in %APPDATA%\rigscope and thumbnails in %LOCALAPPDATA%\rigscope belong to the user and are kept.
Section un.Rigscope
    !insertmacro WaitUntilAllClosed un.
    Delete "$INSTDIR\fbx_bsm2.exe"
    Delete "$INSTDIR\rigscope.exe"
    Delete "$INSTDIR\rigscope-gui.exe"
    Delete "$INSTDIR\README.md"
    Delete "$INSTDIR\CHANGELOG.md"
    Delete "$INSTDIR\LICENSE"
    Delete "$INSTDIR\LICENSE-MIT"
    Delete "$INSTDIR\LICENSE-APACHE"
    Delete "$INSTDIR\uninstall.exe"
    RMDir $INSTDIR
    Delete "$SMPROGRAMS\Rigscope.lnk"

    !insertmacro ForEachExtension RemoveExtension
    DeleteRegKey HKCU "${CLASSES}\${PROGID}"
    DeleteRegKey HKCU "${APPLICATION_KEY}"
    DeleteRegKey /ifempty HKCU "${CLASSES}\Applications"
    ${NotifyShell_AssocChanged}

    Call un.RemoveFromPath
    DeleteRegKey HKCU "${UNINSTALL_KEY}"
SectionEnd
