// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "./SafeToken.sol";
import {ITokenCollector} from "./ITokenCollector.sol";
import {PaymentInfo} from "./PaymentInfo.sol";
import {ReentrancyGuard} from "./ReentrancyGuard.sol";
import {TokenStore} from "./TokenStore.sol";

/// @notice Holds a payer's funds until the payment's operator captures or voids them, or until the payer reclaims
/// them after expiry. Nobody has other rights: there is no owner, no pause and no upgrade.
contract Escrow is ReentrancyGuard {
    struct PaymentState {
        bool hasCollectedPayment;
        uint120 capturableAmount;
        uint120 refundableAmount;
    }

    bytes32 public constant PAYMENT_INFO_TYPEHASH = keccak256(
        "PaymentInfo(address operator,address payer,address receiver,address token,uint120 maxAmount,uint48 preApprovalExpiry,uint48 authorizationExpiry,uint48 refundExpiry,uint16 minFeeBps,uint16 maxFeeBps,address feeReceiver,uint256 salt)"
    );
    uint256 private constant BPS = 10_000;

    address public immutable tokenStoreImplementation;
    mapping(bytes32 paymentInfoHash => PaymentState) public paymentState;

    event PaymentAuthorized(
        bytes32 indexed paymentInfoHash, PaymentInfo paymentInfo, uint256 amount, address tokenCollector
    );
    event PaymentCaptured(bytes32 indexed paymentInfoHash, uint256 amount, uint16 feeBps, address feeReceiver);
    event PaymentCharged(
        bytes32 indexed paymentInfoHash, PaymentInfo paymentInfo, uint256 amount, address tokenCollector,
        uint16 feeBps, address feeReceiver
    );
    event PaymentVoided(bytes32 indexed paymentInfoHash, uint256 amount);
    event PaymentPartiallyVoided(bytes32 indexed paymentInfoHash, uint256 amount, uint256 remaining);
    event PaymentReclaimed(bytes32 indexed paymentInfoHash, uint256 amount);
    event PaymentRefunded(bytes32 indexed paymentInfoHash, uint256 amount, address tokenCollector);
    event TokenStoreCreated(address indexed operator, address tokenStore);

    error InvalidSender(address sender, address expected);
    error ZeroAmount();
    error AmountOverflow(uint256 amount, uint256 limit);
    error ExceedsMaxAmount(uint256 amount, uint256 maxAmount);
    error AfterPreApprovalExpiry(uint48 timestamp, uint48 expiry);
    error InvalidExpiries(uint48 preApproval, uint48 authorization, uint48 refund);
    error FeeBpsOverflow(uint16 feeBps);
    error InvalidFeeBpsRange(uint16 minFeeBps, uint16 maxFeeBps);
    error FeeBpsOutOfRange(uint16 feeBps, uint16 minFeeBps, uint16 maxFeeBps);
    error ZeroFeeReceiver();
    error InvalidFeeReceiver(address attempted, address expected);
    error InvalidCollectorForOperation();
    error TokenCollectionFailed();
    error PaymentAlreadyCollected(bytes32 paymentInfoHash);
    error AfterAuthorizationExpiry(uint48 timestamp, uint48 expiry);
    error InsufficientAuthorization(bytes32 paymentInfoHash, uint256 authorized, uint256 requested);
    error ZeroAuthorization(bytes32 paymentInfoHash);
    error BeforeAuthorizationExpiry(uint48 timestamp, uint48 expiry);
    error AfterRefundExpiry(uint48 timestamp, uint48 expiry);
    error RefundExceedsCapture(uint256 refund, uint256 captured);
    error PartialVoidExceedsCapturable(uint256 amount, uint256 capturable);

    modifier onlySender(address expected) {
        if (msg.sender != expected) revert InvalidSender(msg.sender, expected);
        _;
    }

    modifier validAmount(uint256 amount) {
        if (amount == 0) revert ZeroAmount();
        if (amount > type(uint120).max) revert AmountOverflow(amount, type(uint120).max);
        _;
    }

    constructor() {
        tokenStoreImplementation = address(new TokenStore(address(this)));
    }

    /// @notice Holds `amount` of the payer's coins. The state is written before the collector runs.
    function authorize(
        PaymentInfo calldata paymentInfo, uint256 amount, address tokenCollector, bytes calldata collectorData
    ) external nonReentrant onlySender(paymentInfo.operator) validAmount(amount) {
        _requireValid(paymentInfo, amount);
        bytes32 hash = getHash(paymentInfo);
        _openPayment(hash, uint120(amount), 0);
        emit PaymentAuthorized(hash, paymentInfo, amount, tokenCollector);
        _collect(paymentInfo, amount, tokenCollector, collectorData, ITokenCollector.CollectorType.Payment);
    }

    /// @notice Pays `amount` of the held coins out, less the fee. May be called until nothing is left.
    function capture(PaymentInfo calldata paymentInfo, uint256 amount, uint16 feeBps, address feeReceiver)
        external nonReentrant onlySender(paymentInfo.operator) validAmount(amount)
    {
        _requireValidFee(paymentInfo, feeBps, feeReceiver);
        if (block.timestamp >= paymentInfo.authorizationExpiry) {
            revert AfterAuthorizationExpiry(uint48(block.timestamp), paymentInfo.authorizationExpiry);
        }
        bytes32 hash = getHash(paymentInfo);
        PaymentState memory state = paymentState[hash];
        if (amount > state.capturableAmount) revert InsufficientAuthorization(hash, state.capturableAmount, amount);
        state.capturableAmount -= uint120(amount);
        state.refundableAmount += uint120(amount);
        paymentState[hash] = state;
        emit PaymentCaptured(hash, amount, feeBps, feeReceiver);
        _payOut(paymentInfo, amount, feeBps, feeReceiver);
    }

    /// @notice Authorize and capture in one step: the coins never rest in the escrow.
    function charge(
        PaymentInfo calldata paymentInfo, uint256 amount, address tokenCollector, bytes calldata collectorData,
        uint16 feeBps, address feeReceiver
    ) external nonReentrant onlySender(paymentInfo.operator) validAmount(amount) {
        _requireValid(paymentInfo, amount);
        _requireValidFee(paymentInfo, feeBps, feeReceiver);
        bytes32 hash = getHash(paymentInfo);
        _openPayment(hash, 0, uint120(amount));
        emit PaymentCharged(hash, paymentInfo, amount, tokenCollector, feeBps, feeReceiver);
        _collect(paymentInfo, amount, tokenCollector, collectorData, ITokenCollector.CollectorType.Payment);
        _payOut(paymentInfo, amount, feeBps, feeReceiver);
    }

    /// @notice Returns all held coins to the payer, at any time.
    function void(PaymentInfo calldata paymentInfo) external nonReentrant onlySender(paymentInfo.operator) {
        bytes32 hash = getHash(paymentInfo);
        uint256 amount = _releaseAll(hash);
        emit PaymentVoided(hash, amount);
        _send(paymentInfo, paymentInfo.payer, amount);
    }

    /// @notice Returns part of the held coins to the payer, at any time.
    function partialVoid(PaymentInfo calldata paymentInfo, uint120 amount)
        external nonReentrant onlySender(paymentInfo.operator) validAmount(amount)
    {
        bytes32 hash = getHash(paymentInfo);
        uint120 capturable = paymentState[hash].capturableAmount;
        if (amount > capturable) revert PartialVoidExceedsCapturable(amount, capturable);
        paymentState[hash].capturableAmount = capturable - amount;
        emit PaymentPartiallyVoided(hash, amount, capturable - amount);
        _send(paymentInfo, paymentInfo.payer, amount);
    }

    /// @notice The payer's way out, without anybody's help, from the second of authorizationExpiry on.
    function reclaim(PaymentInfo calldata paymentInfo) external nonReentrant onlySender(paymentInfo.payer) {
        if (block.timestamp < paymentInfo.authorizationExpiry) {
            revert BeforeAuthorizationExpiry(uint48(block.timestamp), paymentInfo.authorizationExpiry);
        }
        bytes32 hash = getHash(paymentInfo);
        uint256 amount = _releaseAll(hash);
        emit PaymentReclaimed(hash, amount);
        _send(paymentInfo, paymentInfo.payer, amount);
    }

    /// @notice Returns captured coins to the payer out of what the refund collector brings.
    function refund(
        PaymentInfo calldata paymentInfo, uint256 amount, address tokenCollector, bytes calldata collectorData
    ) external nonReentrant onlySender(paymentInfo.operator) validAmount(amount) {
        if (block.timestamp >= paymentInfo.refundExpiry) {
            revert AfterRefundExpiry(uint48(block.timestamp), paymentInfo.refundExpiry);
        }
        bytes32 hash = getHash(paymentInfo);
        uint120 captured = paymentState[hash].refundableAmount;
        if (amount > captured) revert RefundExceedsCapture(amount, captured);
        paymentState[hash].refundableAmount = captured - uint120(amount);
        emit PaymentRefunded(hash, amount, tokenCollector);
        _collect(paymentInfo, amount, tokenCollector, collectorData, ITokenCollector.CollectorType.Refund);
        _send(paymentInfo, paymentInfo.payer, amount);
    }

    /// @notice The payment's key on this chain and this escrow. It is not an EIP-712 digest.
    function getHash(PaymentInfo calldata paymentInfo) public view returns (bytes32) {
        bytes32 termsHash = keccak256(abi.encode(PAYMENT_INFO_TYPEHASH, paymentInfo));
        return keccak256(abi.encode(block.chainid, address(this), termsHash));
    }

    /// @notice Where an operator's coins rest. The address is known before the first payout creates the contract.
    function getTokenStore(address operator) public view returns (address) {
        bytes32 codeHash = keccak256(_storeInitCode());
        return address(uint160(uint256(
            keccak256(abi.encodePacked(bytes1(0xff), address(this), bytes32(bytes20(operator)), codeHash))
        )));
    }

    function _requireValid(PaymentInfo calldata info, uint256 amount) private view {
        if (amount > info.maxAmount) revert ExceedsMaxAmount(amount, info.maxAmount);
        if (block.timestamp >= info.preApprovalExpiry) {
            revert AfterPreApprovalExpiry(uint48(block.timestamp), info.preApprovalExpiry);
        }
        if (info.preApprovalExpiry > info.authorizationExpiry || info.authorizationExpiry > info.refundExpiry) {
            revert InvalidExpiries(info.preApprovalExpiry, info.authorizationExpiry, info.refundExpiry);
        }
        if (info.maxFeeBps > BPS) revert FeeBpsOverflow(info.maxFeeBps);
        if (info.minFeeBps > info.maxFeeBps) revert InvalidFeeBpsRange(info.minFeeBps, info.maxFeeBps);
    }

    function _requireValidFee(PaymentInfo calldata info, uint16 feeBps, address feeReceiver) private pure {
        if (feeBps < info.minFeeBps || feeBps > info.maxFeeBps) {
            revert FeeBpsOutOfRange(feeBps, info.minFeeBps, info.maxFeeBps);
        }
        if (feeBps > 0 && feeReceiver == address(0)) revert ZeroFeeReceiver();
        if (info.feeReceiver != address(0) && info.feeReceiver != feeReceiver) {
            revert InvalidFeeReceiver(feeReceiver, info.feeReceiver);
        }
    }

    function _openPayment(bytes32 hash, uint120 capturable, uint120 refundable) private {
        if (paymentState[hash].hasCollectedPayment) revert PaymentAlreadyCollected(hash);
        paymentState[hash] = PaymentState(true, capturable, refundable);
    }

    function _releaseAll(bytes32 hash) private returns (uint256 amount) {
        amount = paymentState[hash].capturableAmount;
        if (amount == 0) revert ZeroAuthorization(hash);
        paymentState[hash].capturableAmount = 0;
    }

    /// The balance must rise by exactly `amount`: a coin that takes a fee on transfer would leave the escrow short.
    function _collect(
        PaymentInfo calldata info, uint256 amount, address collector, bytes calldata data,
        ITokenCollector.CollectorType expectedType
    ) private {
        if (ITokenCollector(collector).collectorType() != expectedType) revert InvalidCollectorForOperation();
        address store = getTokenStore(info.operator);
        uint256 before = IERC20(info.token).balanceOf(store);
        ITokenCollector(collector).collectTokens(info, store, amount, data);
        if (IERC20(info.token).balanceOf(store) != before + amount) revert TokenCollectionFailed();
    }

    /// The fee is rounded down, so the rounding is the payee's gain.
    function _payOut(PaymentInfo calldata info, uint256 amount, uint16 feeBps, address feeReceiver) private {
        uint256 fee = amount * feeBps / BPS;
        if (fee > 0) _send(info, feeReceiver, fee);
        if (amount > fee) _send(info, info.receiver, amount - fee);
    }

    function _send(PaymentInfo calldata info, address to, uint256 amount) private {
        address store = getTokenStore(info.operator);
        if (store.code.length == 0) _createStore(info.operator);
        TokenStore(store).sendTokens(info.token, to, amount);
    }

    function _createStore(address operator) private {
        bytes memory initCode = _storeInitCode();
        bytes32 salt = bytes32(bytes20(operator));
        address store;
        assembly ("memory-safe") {
            store := create2(0, add(initCode, 0x20), mload(initCode), salt)
        }
        // Collision is impossible: the salt is the operator and the code is fixed.
        assert(store != address(0));
        emit TokenStoreCreated(operator, store);
    }

    /// The minimal proxy of EIP-1167 around `tokenStoreImplementation`.
    function _storeInitCode() private view returns (bytes memory) {
        return abi.encodePacked(
            hex"3d602d80600a3d3981f3363d3d373d3d3d363d73", tokenStoreImplementation, hex"5af43d82803e903d91602b57fd5bf3"
        );
    }
}
